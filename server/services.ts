import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { createPool } from './database/pool.ts';
import { TenantDatabase } from './database/tenant-database.ts';
import { AccessTokens } from './identity/access-token.ts';
import { keyRing } from './identity/app-secrets.ts';
import type { Authenticator } from './identity/authenticate.ts';
import { KeyUse } from './identity/key-use.ts';
import { Passwords } from './identity/password.ts';
import { Sessions } from './identity/sessions.ts';
import { TenantDirectory } from './identity/tenant-directory.ts';
import type { UploadOptions } from './inventories/upload.ts';
import { Health } from './operations/health.ts';
import { IdempotencyRecords } from './pipeline/idempotency.ts';

/** Everything that serving a request may need, made once. */
export interface Services {
  readonly clock: Clock;
  readonly log: Logger;
  readonly tenants: TenantDatabase;
  readonly directory: TenantDirectory;
  readonly authenticator: Authenticator;
  readonly sessions: Sessions;
  readonly idempotency: IdempotencyRecords;
  readonly inventories: UploadOptions;
  readonly health: Health;
  /** Waits for what goes on beside requests, and closes what is open. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** The serving role's. */
  readonly databaseUrl: string;
  readonly appSecrets: readonly string[];
  readonly inventories: UploadOptions;
  readonly clock: Clock;
  readonly log: Logger;
}

const SERVING_CONNECTIONS = 10;
const SERVING_STATEMENT_TIMEOUT_MS = 10_000;

/** The composition root: the one place that knows what is made of what. */
export function createServices(options: ServiceOptions): Services {
  const { clock, log, appSecrets } = options;
  const pool = createPool({
    url: options.databaseUrl,
    name: 'cspm server',
    maxConnections: SERVING_CONNECTIONS,
    statementTimeoutMs: SERVING_STATEMENT_TIMEOUT_MS,
    onError: (err) => log.warn({ err }, 'A connection to the database broke'),
  });
  const tenants = new TenantDatabase(pool);
  const accessTokens = new AccessTokens(keyRing(appSecrets, 'access token'), clock);
  const keyUse = new KeyUse(pool, (err) => log.warn({ err }, 'The use of a key was not noted'));
  const passwords = new Passwords();
  return {
    clock,
    log,
    tenants,
    directory: new TenantDirectory(pool),
    authenticator: { pool, accessTokens, keyUse, clock },
    sessions: new Sessions({ tenants, passwords, accessTokens, clock }),
    idempotency: new IdempotencyRecords(keyRing(appSecrets, 'idempotency record'), clock),
    inventories: options.inventories,
    health: new Health(pool),
    close: () => close(pool, keyUse, passwords),
  };
}

async function close(pool: pg.Pool, keyUse: KeyUse, passwords: Passwords): Promise<void> {
  await keyUse.settle();
  await passwords.close();
  await pool.end();
}
