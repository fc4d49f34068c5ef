import type { Store } from 'express-rate-limit';
import type pg from 'pg';
import type { Logger } from 'pino';
import { IdempotencyRecords } from './http/idempotency.ts';
import { SharedStore } from './http/limit-stores.ts';
import { OpenStreams } from './http/open-streams.ts';
import type { HttpServices } from './http/services.ts';
import { type Authenticator, authenticate } from './modules/auth/credentials/authenticate.ts';
import { BreakGlass, type BreakGlassConfig } from './modules/auth/credentials/break-glass.ts';
import { GlobalKey, type GlobalKeyConfig } from './modules/auth/credentials/global-key.ts';
import { KeyUse } from './modules/auth/credentials/key-last-used.ts';
import { SharedCredentials } from './modules/auth/credentials/shared-credential.ts';
import type { GoogleConfig } from './modules/auth/google/google-config.ts';
import { GoogleIdTokens } from './modules/auth/google/google-id-token.ts';
import { GoogleRedirect } from './modules/auth/google/google-redirect.ts';
import { GoogleSignIn } from './modules/auth/google/google-sign-in.ts';
import { MailTokens } from './modules/auth/mail-links/mail-tokens.ts';
import { Passwords } from './modules/auth/password/password.ts';
import { PasswordChanges } from './modules/auth/password/password-changes.ts';
import { Registration } from './modules/auth/password/registration.ts';
import { SignIn } from './modules/auth/password/sign-in.ts';
import { SamlConfirmation } from './modules/auth/saml/confirmation.ts';
import { SamlSignIn } from './modules/auth/saml/sign-in.ts';
import { XmlThread } from './modules/auth/saml/xml-thread.ts';
import { AccessTokens } from './modules/auth/sessions/access-token.ts';
import { ExchangeCodes } from './modules/auth/sessions/exchange-code.ts';
import { Reauthentication } from './modules/auth/sessions/reauthenticate.ts';
import { Sessions } from './modules/auth/sessions/sessions.ts';
import { SecondFactors } from './modules/auth/two-factor/second-factor.ts';
import { TwoFactor } from './modules/auth/two-factor/two-factor.ts';
import { TerraformConverter } from './modules/inventories/terraform-process.ts';
import type { UploadOptions } from './modules/inventories/upload.ts';
import { UploadSlots } from './modules/inventories/upload-slots.ts';
import { Unsubscribe } from './modules/notifications/index.ts';
import { forgetPosture } from './modules/posture/index.ts';
import { CustomRuleChecks } from './modules/rules/custom-rule-checks.ts';
import { cancelScansOf } from './modules/scans/scan-end.ts';
import { ScanFeeds } from './modules/scans/scan-events.ts';
import { GoogleClients, type GoogleSettings, SOURCE_CHECK_SLOTS } from './modules/sources/index.ts';
import { DomainProof } from './modules/tenants/domain-proof.ts';
import { resolveTenant } from './modules/tenants/resolve-tenant.ts';
import { TenantDirectory } from './modules/tenants/tenant-directory.ts';
import { AddressPolicy } from './modules/webhooks/address-policy.ts';
import { DnsLookup } from './modules/webhooks/host-lookup.ts';
import { WEBHOOK_KEYS } from './modules/webhooks/secret.ts';
import type { WebhookConfig } from './modules/webhooks/webhook-config.ts';
import type { Cell } from './platform/cells/cell-config.ts';
import { openCells } from './platform/cells/open-cells.ts';
import type { Clock } from './platform/clock.ts';
import { type KeyRing, keyRing } from './platform/crypto/app-secrets.ts';
import { readsFrom } from './platform/database/connect-replicas.ts';
import { ConnectionShares } from './platform/database/connection-shares.ts';
import { createPool } from './platform/database/pool.ts';
import { TenantDatabase } from './platform/database/tenant-database.ts';
import { Health } from './platform/health.ts';
import { MailQueue } from './platform/mail/mail-queue.ts';
import { Metrics } from './platform/metrics.ts';
import { queueDepth } from './platform/queue-depth.ts';
import { RedisLink } from './platform/redis-connection.ts';
import type { RedisMode } from './platform/redis-settings.ts';
import { Throttles } from './platform/throttle.ts';
import { WebAddress } from './platform/web-address.ts';

/** Everything that serving a request may need, created once. */
export interface Services extends HttpServices {
  readonly directory: TenantDirectory;
  readonly authenticator: Authenticator;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly google: GoogleSignIn;
  readonly googleRedirect: GoogleRedirect;
  readonly saml: SamlSignIn;
  readonly xmlThread: XmlThread;
  readonly samlConfirmation: SamlConfirmation;
  readonly domainProof: DomainProof;
  readonly exchangeCodes: ExchangeCodes;
  readonly reauthentication: Reauthentication;
  readonly twoFactor: TwoFactor;
  readonly registration: Registration;
  readonly passwordChanges: PasswordChanges;
  readonly mail: MailQueue;
  readonly mailTokens: MailTokens;
  readonly unsubscribe: Unsubscribe;
  readonly web: WebAddress;
  readonly inventories: UploadOptions;
  readonly sources: {
    readonly keys: KeyRing;
    readonly google: GoogleClients;
    readonly checks: UploadSlots;
  };
  readonly cancelScansOf: typeof cancelScansOf;
  readonly forgetPosture: typeof forgetPosture;
  readonly customRules: CustomRuleChecks;
  readonly scanFeeds: ScanFeeds;
  readonly webhooks: WebhookConfig;
  readonly health: Health;
  /** Null: rate limits are counted in the memory of this process. */
  readonly redis: RedisLink | null;
  /** Where the counters of a limit are kept; undefined: in memory. */
  readonly limitStoreFor: ((limit: string) => Store) | undefined;
  /** Waits for background work, and closes all connections. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** The pool of the serving role. */
  readonly databaseUrl: string;
  /** Replicas that serve reads, for the same role; null or undefined: the primary serves all. */
  readonly databaseReplicaUrl?: string | null;
  /** Further databases with the rows of tenants. Default: none. */
  readonly cells?: readonly Cell[];
  readonly appSecrets: readonly string[];
  readonly inventories: Omit<UploadOptions, 'slots' | 'terraform'>;
  /** From the configuration; null: the address of the listener, which must be set once it is known. */
  readonly webUrl: string | null;
  readonly registration: 'open' | 'closed';
  readonly google: GoogleConfig | null;
  /** How inventories are pulled from Google Cloud. */
  readonly googleCloud: GoogleSettings;
  readonly production: boolean;
  readonly breakGlass: BreakGlassConfig | null;
  readonly globalApiKey: GlobalKeyConfig | null;
  readonly redisUrl: string | null;
  readonly redisMode: RedisMode;
  readonly redisSentinelMaster: string | null;
  readonly redisSentinelPassword: string | null;
  /** The longest that one request waits for Redis. */
  readonly redisTimeoutMs: number;
  /** The longest that a request waits for a connection to Postgres. */
  readonly databaseTimeoutMs: number;
  /** DNS servers for domain lookups; null: the system's servers. */
  readonly dnsServers: readonly string[] | null;
  /** Ranges besides public addresses that webhooks may connect to. */
  readonly webhookAllowCidrs: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** Connections for the requests of tenants, which share them. */
const SERVING_CONNECTIONS = 10;
/** Connections for looking up credentials and limits; requests of tenants never hold one. */
const IDENTITY_CONNECTIONS = 4;
/** Statement timeout of a list, a count or a page of an export. */
const READ_TIMEOUT_MS = 5_000;
/** Statement timeout of a change; deleting a project deletes everything in it. */
const WRITE_TIMEOUT_MS = 10_000;
const IDENTITY_TIMEOUT_MS = 5_000;

/** The composition root: the one place that constructs all services. */
export function createServices(options: ServiceOptions): Services {
  const { clock, log, appSecrets, production } = options;
  const pools = createPools(options);
  const shares = new ConnectionShares({ connections: SERVING_CONNECTIONS });
  const home = new TenantDatabase(pools.serving, { shares, writeTimeoutMs: WRITE_TIMEOUT_MS });
  const opened = openCells(options, pools.serving, home);
  // Operations on identities use `tenants`, those on other rows of tenants `rows`.
  const { identityTenants: tenants, tenants: rows } = opened;
  // Credentials and limits are looked up there, independent of the load of tenants.
  const pool = pools.identity;
  const accessTokens = new AccessTokens(keyRing(appSecrets, 'access token'), clock);
  const directory = new TenantDirectory(pool);
  const config = options.breakGlass;
  const breakGlass = new BreakGlass({ config, production, pool, directory, clock });
  const globalKey = new GlobalKey({ config: options.globalApiKey, production, directory });
  const redis = redisOf(options);
  const keyUse = new KeyUse(pool, (err) =>
    log.warn({ err }, 'Failed to record the use of an API key'),
  );
  const authenticator = { pool, accessTokens, keyUse, globalKey, breakGlass, clock };
  const sourceKeys = keyRing(appSecrets, 'inventory source');
  const passwords = new Passwords();
  const throttles = new Throttles(pool, clock);
  const sessions = new Sessions({ tenants, accessTokens, clock });
  const secondFactors = new SecondFactors(keyRing(appSecrets, 'totp'), clock);
  const reauthentication = new Reauthentication({ tenants, passwords, throttles, clock });
  const web = new WebAddress(options.webUrl);
  const mail = new MailQueue({ keys: keyRing(appSecrets, 'mail'), throttles, web });
  const mailTokens = new MailTokens(clock);
  const sharedCredentials = new SharedCredentials(rows, mail);
  const customRules = new CustomRuleChecks(clock);
  const accounts = { tenants, passwords, mail, mailTokens };
  const health = new Health(pools.health);
  const registrationOpen = options.registration === 'open';
  const idTokens = options.google === null ? null : new GoogleIdTokens(options.google, clock);
  const metrics = metricsOf(pools, shares, passwords, redis, clock);
  const replicas = readsFrom(options.databaseReplicaUrl ?? null, {
    ...{ databaseUrl: options.databaseUrl, databaseTimeoutMs: options.databaseTimeoutMs },
    ...{ tenants, metrics, log, connections: SERVING_CONNECTIONS, timeoutMs: READ_TIMEOUT_MS },
  });
  const xmlThread = new XmlThread((err) => log.error({ err }, 'The XML thread failed'));
  const samlConfirmation = new SamlConfirmation({
    ...{ tenants, passwords, throttles, secondFactors, sessions, mail, clock },
  });
  const exchangeCodes = new ExchangeCodes({
    ...{ tenants, sessions, web, clock },
    confirmation: samlConfirmation,
  });
  const google = new GoogleSignIn({ tenants, sessions, idTokens, registrationOpen, clock });
  return {
    clock,
    log,
    tenants: rows,
    reads: replicas?.reads ?? rows,
    identityTenants: tenants,
    directory,
    authenticator,
    credentials: {
      authenticate: (headers) => authenticate(headers, authenticator),
      resolveTenant: (principal, header) => resolveTenant(principal, header, directory),
      noteUse: (principal, use) => sharedCredentials.note(principal, use),
    },
    sessions,
    signIn: new SignIn({ tenants, passwords, throttles, secondFactors, sessions }),
    google,
    googleRedirect: new GoogleRedirect({
      ...{ tenants, web, clock, signIn: google },
      codes: exchangeCodes,
      config: options.google,
    }),
    saml: new SamlSignIn({ tenants, codes: exchangeCodes, web, xmlThread, clock }),
    xmlThread,
    samlConfirmation,
    domainProof: new DomainProof(options.dnsServers),
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
    unsubscribe: new Unsubscribe({ keys: keyRing(appSecrets, 'unsubscribe'), tenants: rows }),
    web,
    idempotency: new IdempotencyRecords(keyRing(appSecrets, 'idempotency record'), clock),
    inventories: {
      ...options.inventories,
      slots: new UploadSlots(),
      terraform: new TerraformConverter(),
    },
    sources: {
      keys: sourceKeys,
      google: new GoogleClients(options.googleCloud, sourceKeys),
      checks: new UploadSlots(SOURCE_CHECK_SLOTS),
    },
    cancelScansOf,
    forgetPosture,
    customRules,
    scanFeeds: new ScanFeeds(rows, () => health.isDraining),
    webhooks: {
      keys: keyRing(appSecrets, WEBHOOK_KEYS),
      addresses: new AddressPolicy({ allow: options.webhookAllowCidrs, loopback: !production }),
      lookup: new DnsLookup(options.dnsServers),
    },
    openStreams: new OpenStreams(),
    health,
    metrics,
    redis,
    limitStoreFor: redis === null ? undefined : (limit) => new SharedStore(limit, redis),
    close: async () => {
      await close(pools, keyUse, passwords);
      await replicas?.close();
      await opened.close();
      await customRules.close();
      await xmlThread.close();
      await redis?.close();
    },
  };
}

interface Pools {
  readonly serving: pg.Pool;
  readonly identity: pg.Pool;
  readonly health: pg.Pool;
}

function redisOf({ redisUrl: url, redisMode: mode, ...options }: ServiceOptions): RedisLink | null {
  if (url === null) return null;
  const { redisSentinelMaster: sentinelMaster, redisSentinelPassword: sentinelPassword } = options;
  const settings = { mode, url, sentinelMaster, sentinelPassword };
  return new RedisLink(settings, options.log, options.redisTimeoutMs);
}

/** Separate pools for what must keep working while tenants use all of theirs. */
function createPools({ databaseUrl: url, databaseTimeoutMs, log }: ServiceOptions): Pools {
  const onError = (err: Error) => log.warn({ err }, 'A database connection failed');
  return {
    serving: createPool({
      url,
      name: 'cspm server',
      maxConnections: SERVING_CONNECTIONS,
      statementTimeoutMs: READ_TIMEOUT_MS,
      longestStatementMs: WRITE_TIMEOUT_MS,
      connectWithinMs: databaseTimeoutMs,
      onError,
    }),
    identity: createPool({
      url,
      name: 'cspm identity',
      maxConnections: IDENTITY_CONNECTIONS,
      statementTimeoutMs: IDENTITY_TIMEOUT_MS,
      connectWithinMs: databaseTimeoutMs,
      onError,
    }),
    health: createPool({
      url,
      name: 'cspm readiness',
      maxConnections: 1,
      statementTimeoutMs: READ_TIMEOUT_MS,
      connectWithinMs: databaseTimeoutMs,
      onError,
    }),
  };
}

function metricsOf(
  { serving, identity }: Pools,
  shares: ConnectionShares,
  passwords: Passwords,
  redis: RedisLink | null,
  clock: Clock,
) {
  const metrics = new Metrics();
  metrics.watchPool('serving', serving, () => shares.waiting);
  metrics.watchPool('identity', identity);
  metrics.watchHashing(() => passwords.waiting);
  metrics.watchQueue(() => queueDepth(identity, clock.now()));
  if (redis !== null) metrics.watchRedis(() => redis.isUp);
  return metrics;
}

async function close(pools: Pools, keyUse: KeyUse, passwords: Passwords): Promise<void> {
  await keyUse.settle();
  await passwords.close();
  await Promise.all([pools.serving.end(), pools.identity.end(), pools.health.end()]);
}
