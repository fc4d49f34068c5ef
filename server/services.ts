import type { Store } from 'express-rate-limit';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { CustomRuleChecks } from './custom-rules/custom-rule-checks.ts';
import { createPool } from './database/pool.ts';
import { TenantDatabase } from './database/tenant-database.ts';
import { AccessTokens } from './identity/access-token.ts';
import { keyRing } from './identity/app-secrets.ts';
import type { Authenticator } from './identity/authenticate.ts';
import { BreakGlass, type BreakGlassConfig } from './identity/break-glass.ts';
import { ExchangeCodes } from './identity/exchange-code.ts';
import { GlobalKey, type GlobalKeyConfig } from './identity/global-key.ts';
import type { GoogleConfig } from './identity/google-config.ts';
import { GoogleIdTokens } from './identity/google-id-token.ts';
import { GoogleSignIn } from './identity/google-sign-in.ts';
import { KeyUse } from './identity/key-use.ts';
import { MailTokens } from './identity/mail-tokens.ts';
import { Passwords } from './identity/password.ts';
import { PasswordChanges } from './identity/password-changes.ts';
import { Reauthentication } from './identity/reauthenticate.ts';
import { Registration } from './identity/registration.ts';
import { SamlSignIn } from './identity/saml/sign-in.ts';
import { SecondFactors } from './identity/second-factor.ts';
import { Sessions } from './identity/sessions.ts';
import { SharedCredentials } from './identity/shared-credential.ts';
import { SignIn } from './identity/sign-in.ts';
import { TenantDirectory } from './identity/tenant-directory.ts';
import { Throttles } from './identity/throttle.ts';
import { TwoFactor } from './identity/two-factor.ts';
import type { UploadOptions } from './inventories/upload.ts';
import { MailQueue } from './mail/mail-queue.ts';
import { Health } from './operations/health.ts';
import { Metrics } from './operations/metrics.ts';
import { queueDepth } from './operations/queue-depth.ts';
import { IdempotencyRecords } from './pipeline/idempotency.ts';
import { SharedStore } from './pipeline/limit-stores.ts';
import { RedisLink } from './pipeline/redis-link.ts';
import { ScanFeeds } from './scans/scan-feeds.ts';
import { WebAddress } from './web-address.ts';

/** Everything that serving a request may need, made once. */
export interface Services {
  readonly clock: Clock;
  readonly log: Logger;
  readonly tenants: TenantDatabase;
  readonly directory: TenantDirectory;
  readonly authenticator: Authenticator;
  readonly sharedCredentials: SharedCredentials;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly google: GoogleSignIn;
  readonly saml: SamlSignIn;
  readonly exchangeCodes: ExchangeCodes;
  readonly reauthentication: Reauthentication;
  readonly twoFactor: TwoFactor;
  readonly registration: Registration;
  readonly passwordChanges: PasswordChanges;
  readonly mail: MailQueue;
  readonly mailTokens: MailTokens;
  readonly web: WebAddress;
  readonly idempotency: IdempotencyRecords;
  readonly inventories: UploadOptions;
  readonly customRules: CustomRuleChecks;
  readonly scanFeeds: ScanFeeds;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Null: rate limits are counted in the memory of this process. */
  readonly redis: RedisLink | null;
  /** Where the counts of a limit are kept; undefined: in memory. */
  readonly limitStoreFor: ((limit: string) => Store) | undefined;
  /** Waits for what goes on beside requests, and closes what is open. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** The serving role's. */
  readonly databaseUrl: string;
  readonly appSecrets: readonly string[];
  readonly inventories: UploadOptions;
  /** Of the configuration; null: where the server listens, which is to be said as soon as it is known. */
  readonly webUrl: string | null;
  readonly registration: 'open' | 'closed';
  readonly google: GoogleConfig | null;
  readonly production: boolean;
  readonly breakGlass: BreakGlassConfig | null;
  readonly globalApiKey: GlobalKeyConfig | null;
  readonly redisUrl: string | null;
  readonly clock: Clock;
  readonly log: Logger;
}

const SERVING_CONNECTIONS = 10;
const SERVING_STATEMENT_TIMEOUT_MS = 10_000;

/** The composition root: the one place that knows what is made of what. */
export function createServices(options: ServiceOptions): Services {
  const { clock, log, appSecrets, production } = options;
  const pool = createPool({
    url: options.databaseUrl,
    name: 'cspm server',
    maxConnections: SERVING_CONNECTIONS,
    statementTimeoutMs: SERVING_STATEMENT_TIMEOUT_MS,
    onError: (err) => log.warn({ err }, 'A connection to the database broke'),
  });
  const tenants = new TenantDatabase(pool);
  const accessTokens = new AccessTokens(keyRing(appSecrets, 'access token'), clock);
  const directory = new TenantDirectory(pool);
  const config = options.breakGlass;
  const breakGlass = new BreakGlass({ config, production, pool, directory, clock });
  const globalKey = new GlobalKey({ config: options.globalApiKey, production, directory });
  const redis = options.redisUrl === null ? null : new RedisLink(options.redisUrl, log);
  const keyUse = new KeyUse(pool, (err) => log.warn({ err }, 'The use of a key was not noted'));
  const passwords = new Passwords();
  const throttles = new Throttles(pool, clock);
  const sessions = new Sessions({ tenants, accessTokens, clock });
  const secondFactors = new SecondFactors(keyRing(appSecrets, 'totp'), clock);
  const reauthentication = new Reauthentication({ tenants, passwords, throttles, clock });
  const web = new WebAddress(options.webUrl);
  const mail = new MailQueue({ keys: keyRing(appSecrets, 'mail'), throttles, web });
  const mailTokens = new MailTokens(clock);
  const customRules = new CustomRuleChecks(clock);
  const accounts = { tenants, passwords, mail, mailTokens };
  const health = new Health(pool);
  const registrationOpen = options.registration === 'open';
  const idTokens = options.google === null ? null : new GoogleIdTokens(options.google, clock);
  const exchangeCodes = new ExchangeCodes({ tenants, sessions, clock });
  return {
    clock,
    log,
    tenants,
    directory,
    authenticator: { pool, accessTokens, keyUse, globalKey, breakGlass, clock },
    sharedCredentials: new SharedCredentials(tenants, mail),
    sessions,
    signIn: new SignIn({ tenants, passwords, throttles, secondFactors, sessions }),
    google: new GoogleSignIn({ tenants, sessions, idTokens, registrationOpen, clock }),
    saml: new SamlSignIn({ tenants, codes: exchangeCodes, web, clock }),
    exchangeCodes,
    reauthentication,
    twoFactor: new TwoFactor({
      tenants,
      throttles,
      reauthentication,
      secondFactors,
      sessions,
      mail,
    }),
    registration: new Registration({ ...accounts, open: registrationOpen }),
    passwordChanges: new PasswordChanges({ ...accounts, reauthentication }),
    mail,
    mailTokens,
    web,
    idempotency: new IdempotencyRecords(keyRing(appSecrets, 'idempotency record'), clock),
    inventories: options.inventories,
    customRules,
    scanFeeds: new ScanFeeds(tenants, () => health.isDraining),
    health,
    metrics: metricsOf(pool, passwords, redis, clock),
    redis,
    limitStoreFor: redis === null ? undefined : (limit) => new SharedStore(limit, redis),
    close: async () => {
      await close(pool, keyUse, passwords);
      await customRules.close();
      await redis?.close();
    },
  };
}

function metricsOf(pool: pg.Pool, passwords: Passwords, redis: RedisLink | null, clock: Clock) {
  const metrics = new Metrics();
  metrics.watchPool('serving', pool);
  metrics.watchHashing(() => passwords.waiting);
  metrics.watchQueue(() => queueDepth(pool, clock.now()));
  if (redis !== null) metrics.watchRedis(() => redis.isUp);
  return metrics;
}

async function close(pool: pg.Pool, keyUse: KeyUse, passwords: Passwords): Promise<void> {
  await keyUse.settle();
  await passwords.close();
  await pool.end();
}
