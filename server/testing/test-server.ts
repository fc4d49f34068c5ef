import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DestinationStream } from 'pino';
import { type AppOptions, createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { keyRing } from '../identity/app-secrets.ts';
import { startWorker } from '../jobs/start-worker.ts';
import { createMailer } from '../mail/mailer.ts';
import { sendMailTask } from '../mail/send-mail.ts';
import { createLogger } from '../operations/logger.ts';
import { createServices, type Services } from '../services.ts';
import { TestClock } from './clock.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';
import { People } from './people.ts';
import type { TokenIssuer } from './token-issuer.ts';

export interface TestServerOptions extends AppOptions {
  readonly config?: Partial<Config>;
  /** Takes the log, which is otherwise silent. */
  readonly log?: DestinationStream;
  /** Whether the queue is worked on: scans, and mails, which become files unless there is a mail server. */
  readonly worker?: boolean;
  /** Whose ID tokens the server takes; left out: nobody's. */
  readonly issuer?: TokenIssuer;
  /** A database that several servers share; left out: one of its own. */
  readonly database?: TestDatabase;
}

export interface Call {
  readonly method?: string;
  /** Sent as JSON, unless it is a string or bytes, which are sent as they are. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The client's address; left out: one that was never seen before, so that limits stay out of the way. */
  readonly ip?: string;
}

/** What came back. `json` is undefined where the body is not JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers member by member, whatever their shape
  readonly json: any;
}

/** The real server over HTTP, on a real database of its own. */
export interface TestServer {
  readonly url: string;
  readonly clock: TestClock;
  /** Where it keeps files; made when the first one is. */
  readonly dataDir: string;
  readonly database: TestDatabase;
  readonly services: Services;
  readonly issuer: TokenIssuer | null;
  /** Makes tenants, users, keys and sessions. */
  readonly people: People;
  call(path: string, call?: Call): Promise<Reply>;
  close(): Promise<void>;
}

/** Without a comma, which in an environment would make two of it. */
export const TEST_APP_SECRET = 'a secret that only tests know: 32 bytes or more';

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await cloneDatabase());
  const clock = new TestClock();
  const log = createLogger(options.log === undefined ? 'silent' : 'trace', options.log);
  const config = {
    production: false,
    corsOrigins: [],
    rateLimit: 1_000_000,
    trustProxy: 1,
    appSecrets: [TEST_APP_SECRET],
    inventoryMaxBytes: 1024 ** 3,
    inventoriesKept: 5,
    webUrl: null,
    mail: { url: null, from: 'no-reply@example.com' },
    registration: 'open' as const,
    google: options.issuer?.config ?? null,
    breakGlass: null,
    globalApiKey: null,
    redisUrl: null,
    dataDir: join(tmpdir(), `cspm-test-${randomUUID()}`),
    ...options.config,
  };
  const services = createServices({
    databaseUrl: database.appUrl,
    appSecrets: config.appSecrets ?? [],
    inventories: { maxBytes: config.inventoryMaxBytes, kept: config.inventoriesKept },
    webUrl: config.webUrl,
    registration: config.registration,
    google: config.google,
    production: config.production,
    breakGlass: config.breakGlass,
    globalApiKey: config.globalApiKey,
    redisUrl: config.redisUrl,
    clock,
    log,
  });
  await services.redis?.start();
  const mailer = createMailer({ ...config.mail, outbox: join(config.dataDir, 'outbox') });
  const worker =
    options.worker === true
      ? await startWorker({
          databaseUrl: database.workerUrl,
          log,
          clock,
          metrics: services.metrics,
          sendMail: sendMailTask(keyRing(config.appSecrets ?? [], 'mail'), mailer, log),
        })
      : null;
  const server = createApp(config, services, options).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  services.web.listensAt(url);
  return {
    url,
    clock,
    dataDir: config.dataDir,
    database,
    services,
    issuer: options.issuer ?? null,
    people: new People(database, services),
    call: (path, call) => send(url + path, call),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await worker?.stop();
      await services.close();
      if (options.database === undefined) await database.drop();
    },
  };
}

let lastAddress = 0;

/** An address of the range for documentation and tests that no request came from before. */
export function freshAddress(): string {
  lastAddress += 1;
  return `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
}

/** One request, over HTTP. */
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
