import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DestinationStream } from 'pino';
import { type AppOptions, createApp } from '../../server/app.ts';
import type { Config } from '../../server/config.ts';
import type { Cell } from '../../server/platform/cells/cell-config.ts';
import { keyRing } from '../../server/platform/crypto/app-secrets.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createMailer } from '../../server/platform/mail/mailer.ts';
import { ROOT } from '../../server/platform/root.ts';
import { createServices, type Services } from '../../server/services.ts';
import { startWorkers } from '../../server/start/start-workers.ts';
import { TestClock } from './clock.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';
import { TestDnsServer } from './dns-server.ts';
import type { FakeGoogle } from './google/fake-google.ts';
import { LOWEST_PASSWORD_COST, People } from './people.ts';
import type { TokenIssuer } from './token-issuer.ts';

/** The console that `npm run build:console` makes. */
export const BUILT_CONSOLE = new URL('dist/console/', ROOT);
/** Responses of a server must not depend on whether the console happens to be built. */
const NO_CONSOLE = new URL('no-console/', import.meta.url);

export interface TestServerOptions extends AppOptions {
  readonly config?: Partial<Config>;
  /** Receives the log; by default there is none. */
  readonly log?: DestinationStream;
  /** Whether the server runs jobs: scans, and mails, which become files unless there is a mail server. */
  readonly worker?: boolean;
  /** The issuer of accepted ID tokens. Default: none. */
  readonly issuer?: TokenIssuer;
  /** Google's services. Default: addresses at which nobody listens. */
  readonly googleCloud?: FakeGoogle;
  /** The cost of hashing passwords that are set here, and of checking unknown addresses. Default: the lowest. */
  readonly passwordCost?: number;
  /** A database that several servers share. Default: a new one. */
  readonly database?: TestDatabase;
  /** Replicas of that database. Default: none. */
  readonly replicaUrl?: string;
  /** Further databases with the rows of tenants. Default: none. */
  readonly cells?: readonly Cell[];
  /** The port of a server that was stopped. Default: a free one. */
  readonly port?: number;
}

export interface Call {
  readonly method?: string;
  /** Sent as JSON, except strings and bytes, which are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The client's address. Default: a new one, so rate limits do not interfere. */
  readonly ip?: string;
}

/** The response. `json` is undefined if the body is not JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses member by member, in any shape
  readonly json: any;
}

/** The real server over HTTP, with a separate real database. */
export interface TestServer {
  readonly url: string;
  readonly clock: TestClock;
  /** Its data folder, created on first use. */
  readonly dataDir: string;
  /** The DNS server for domain lookups. */
  readonly dns: TestDnsServer;
  readonly database: TestDatabase;
  readonly services: Services;
  readonly issuer: TokenIssuer | null;
  /** Creates tenants, users, keys and sessions. */
  readonly people: People;
  call(path: string, call?: Call): Promise<Reply>;
  close(): Promise<void>;
}

/**
 * If Redis is late, limits are counted in memory, so tests of shared counters wait longer than a real server. Tests of
 * an unavailable Redis set their own time.
 */
const REDIS_TIMEOUT_MS = 30_000;

/** On a busy machine Postgres is slow to accept a connection. Tests of an unavailable Postgres set the default. */
const DATABASE_TIMEOUT_MS = 60_000;

/** Port 9 is that of the discard service, which no machine runs. */
const NO_GOOGLE = {
  endpoints: {
    assetUrl: 'http://127.0.0.1:9',
    tokenUrl: 'http://127.0.0.1:9/token',
    iamCredentialsUrl: 'http://127.0.0.1:9',
  },
  environment: { METADATA_SERVER_DETECTION: 'none', HOME: '/nonexistent' },
};

/** Without a comma, because the variable is a list. */
export const TEST_APP_SECRET = 'a secret that only tests know: 32 bytes or more';

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await cloneDatabase());
  const dns = await TestDnsServer.start();
  const clock = new TestClock();
  const log = createLogger(options.log === undefined ? 'silent' : 'trace', options.log);
  const config = {
    production: false,
    corsOrigins: [],
    maxConnections: 5_000,
    rateLimit: 1_000_000,
    trustProxy: 1,
    appSecrets: [TEST_APP_SECRET],
    inventoryMaxBytes: 1024 ** 3,
    inventoriesKept: 5,
    webUrl: null,
    mail: { url: null, from: 'no-reply@example.com' },
    registration: 'open' as const,
    google: options.issuer?.config ?? null,
    googleCloud: options.googleCloud?.server ?? NO_GOOGLE,
    breakGlass: null,
    globalApiKey: null,
    redisUrl: null,
    redisMode: 'single' as const,
    redisSentinelMaster: null,
    redisSentinelPassword: null,
    redisTimeoutMs: REDIS_TIMEOUT_MS,
    databaseTimeoutMs: DATABASE_TIMEOUT_MS,
    dnsServers: [dns.address],
    webhookAllowCidrs: [],
    dataDir: join(tmpdir(), `cspm-test-${randomUUID()}`),
    ...options.config,
  };
  const services = createServices({
    databaseUrl: database.appUrl,
    databaseReplicaUrl: options.replicaUrl ?? null,
    cells: options.cells ?? [],
    appSecrets: config.appSecrets ?? [],
    inventories: { maxBytes: config.inventoryMaxBytes, kept: config.inventoriesKept },
    webUrl: config.webUrl,
    registration: config.registration,
    google: config.google,
    googleCloud: config.googleCloud,
    production: config.production,
    breakGlass: config.breakGlass,
    globalApiKey: config.globalApiKey,
    redisUrl: config.redisUrl,
    redisMode: config.redisMode,
    redisSentinelMaster: config.redisSentinelMaster,
    redisSentinelPassword: config.redisSentinelPassword,
    redisTimeoutMs: config.redisTimeoutMs,
    databaseTimeoutMs: config.databaseTimeoutMs,
    passwordCost: options.passwordCost ?? LOWEST_PASSWORD_COST,
    dnsServers: config.dnsServers,
    webhookAllowCidrs: config.webhookAllowCidrs,
    clock,
    log,
  });
  await services.redis?.start();
  const mailer = createMailer({ ...config.mail, outbox: join(config.dataDir, 'outbox') });
  const worker =
    options.worker === true
      ? await startWorkers({
          urls: database,
          cells: options.cells ?? [],
          databaseTimeoutMs: config.databaseTimeoutMs,
          tenants: services.tenants,
          log,
          clock,
          metrics: services.metrics,
          mails: { keys: keyRing(config.appSecrets ?? [], 'mail'), mailer },
          schedules: { mail: services.mail },
          digests: {
            ...{ mail: services.mail, unsubscribe: services.unsubscribe, web: services.web },
          },
          pulls: {
            google: services.sources.google,
            inventories: { maxBytes: config.inventoryMaxBytes, kept: config.inventoriesKept },
          },
          webhooks: { mail: services.mail, config: services.webhooks },
        })
      : null;
  const server = createApp(config, services, { consoleFolder: NO_CONSOLE, ...options }).listen(
    options.port ?? 0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  services.web.listensAt(url);
  return {
    url,
    clock,
    dataDir: config.dataDir,
    dns,
    database,
    services,
    issuer: options.issuer ?? null,
    people: new People(database, services),
    call: (path, call) => send(url + path, call),
    close: async () => {
      dns.close();
      server.closeAllConnections();
      server.close();
      await worker?.stop();
      await services.close();
      if (options.database === undefined) await database.drop();
    },
  };
}

let lastAddress = 0;

/** An unused address of the range for documentation and tests. */
export function freshAddress(): string {
  lastAddress += 1;
  return `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
}

/** Sends one request over HTTP. */
export async function send(
  url: string,
  { method = 'GET', body, headers = {}, ip }: Call = {},
): Promise<Reply> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
      'x-forwarded-for': ip ?? freshAddress(),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(response, text) };
}

function parsed(response: Response, text: string): unknown {
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  return isJson && text !== '' ? JSON.parse(text) : undefined;
}
