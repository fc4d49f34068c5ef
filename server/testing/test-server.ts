import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { DestinationStream } from 'pino';
import { type AppOptions, createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { createLogger } from '../operations/logger.ts';
import { startScanWorker } from '../scans/start-worker.ts';
import { createServices, type Services } from '../services.ts';
import { TestClock } from './clock.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';
import { People } from './people.ts';

export interface TestServerOptions extends AppOptions {
  readonly config?: Partial<Config>;
  /** Takes the log, which is otherwise silent. */
  readonly log?: DestinationStream;
  /** Whether queued scans are worked on. */
  readonly worker?: boolean;
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
  readonly database: TestDatabase;
  readonly services: Services;
  /** Makes tenants, users, keys and sessions. */
  readonly people: People;
  call(path: string, call?: Call): Promise<Reply>;
  close(): Promise<void>;
}

export const TEST_APP_SECRET = 'a secret that only tests know, 32 bytes or more';

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
    ...options.config,
  };
  const services = createServices({
    databaseUrl: database.appUrl,
    appSecrets: config.appSecrets ?? [],
    inventories: { maxBytes: config.inventoryMaxBytes, kept: config.inventoriesKept },
    clock,
    log,
  });
  const worker =
    options.worker === true ? await startScanWorker(database.workerUrl, log, clock) : null;
  const server = createApp(config, services, options).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    clock,
    database,
    services,
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

async function send(
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
