import type { Store } from 'express-rate-limit';
import type pg from 'pg';
import { IdempotencyRecords } from './http/idempotency.ts';
import { SharedStore } from './http/limit-stores.ts';
import { OpenStreams } from './http/open-streams.ts';
import type { HttpServices } from './http/services.ts';
import { UnreadAnswers } from './http/unread-answers.ts';
import { type Authenticator, authenticate } from './modules/auth/credentials/authenticate.ts';
import { BreakGlass, type BreakGlassConfig } from './modules/auth/credentials/break-glass.ts';
import { GlobalKey, type GlobalKeyConfig } from './modules/auth/credentials/global-key.ts';
import { KeyUse } from './modules/auth/credentials/key-last-used.ts';
import { KeyLookup } from './modules/auth/credentials/key-lookup.ts';
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
import { deleteFindingsOf } from './modules/findings/index.ts';
import { PackingProcesses } from './modules/inventories/packing-process.ts';
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
import { HOME } from './platform/cells/cell-config.ts';
import type { Clock } from './platform/clock.ts';
import { type KeyRing, keyRing } from './platform/crypto/app-secrets.ts';
import type { TenantDatabase } from './platform/database/tenant-database.ts';
import { Health } from './platform/health.ts';
import { DIGEST_TASK, MAIL_TASK, MailQueue } from './platform/mail/mail-queue.ts';
import { Metrics } from './platform/metrics.ts';
import { queueDepth } from './platform/queue-depth.ts';
import { RedisLink } from './platform/redis-connection.ts';
import type { RedisMode } from './platform/redis-settings.ts';
import type { Throttles } from './platform/throttle.ts';
import { WebAddress } from './platform/web-address.ts';
import {
  type DatabaseOptions,
  type Databases,
  openDatabases,
  replicasOf,
} from './service-databases.ts';

/** The tasks of workers (start/start-worker.ts), which metrics show also while they have no jobs. */
const QUEUED_TASKS = [
  'scan-project',
  'pull-inventory',
  MAIL_TASK,
  DIGEST_TASK,
  'retention',
  'delete-idle-queues',
  'correct-next-runs',
  'backfill-posture',
  'backfill-asset-index',
];

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
  readonly deleteFindingsOf: typeof deleteFindingsOf;
  readonly forgetPosture: typeof forgetPosture;
  readonly customRules: CustomRuleChecks;
  readonly scanFeeds: ScanFeeds;
  readonly webhooks: WebhookConfig;
  readonly health: Health;
  /** Null: rate limits are counted in the memory of this process. */
  readonly redis: RedisLink | null;
  /** Where the counters of a limit are kept; undefined: in memory. */
  readonly limitStoreFor: ((limit: string) => Store) | undefined;
  /** Connects to Postgres in the background, so that the first request does not wait for it. */
  connect(): void;
  /** Waits for background work, and closes all connections. */
  close(): Promise<void>;
}

export interface ServiceOptions extends DatabaseOptions {
  readonly appSecrets: readonly string[];
  readonly inventories: Omit<UploadOptions, 'clock' | 'slots' | 'terraform' | 'packing'>;
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
  /** bcrypt's cost factor. Default: that of production; tests of other subjects use a lower one. */
  readonly passwordCost?: number | undefined;
  /** The longest that one request waits for Redis. */
  readonly redisTimeoutMs: number;
  /** DNS servers for domain lookups; null: the system's servers. */
  readonly dnsServers: readonly string[] | null;
  /** Ranges besides public addresses that webhooks may connect to. */
  readonly webhookAllowCidrs: readonly string[];
}

/** The composition root: the one place that constructs all services. */
export function createServices(options: ServiceOptions): Services {
  const { clock, log, appSecrets } = options;
  const databases = openDatabases(options);
  const { tenants, identityTenants } = databases;
  const redis = redisOf(options);
  const passwords = new Passwords(options.passwordCost);
  const metrics = metricsOf(databases, passwords, redis, clock);
  const replicas = replicasOf(options, identityTenants, metrics);
  const health = new Health(databases.pools.health);
  const customRules = new CustomRuleChecks(clock);
  const mailing = mailServices(options, databases);
  const access = accessServices(options, databases, mailing.mail);
  const identity = identityServices({
    ...{ options, passwords, mailing, tenants: identityTenants },
    throttles: databases.throttles,
    accessTokens: access.authenticator.accessTokens,
  });
  return {
    clock,
    log,
    tenants,
    reads: replicas?.reads ?? tenants,
    identityTenants,
    ...access,
    ...identity,
    ...mailing,
    domainProof: new DomainProof(options.dnsServers),
    idempotency: new IdempotencyRecords(keyRing(appSecrets, 'idempotency record'), clock),
    inventories: {
      ...options.inventories,
      clock,
      slots: new UploadSlots(),
      terraform: new TerraformConverter(),
      packing: new PackingProcesses(),
    },
    sources: sourcesOf(options),
    cancelScansOf,
    deleteFindingsOf,
    forgetPosture,
    customRules,
    scanFeeds: new ScanFeeds(tenants, () => health.isDraining),
    webhooks: webhooksOf(options),
    openStreams: new OpenStreams(),
    unreadAnswers: new UnreadAnswers(),
    health,
    metrics,
    redis,
    limitStoreFor: redis === null ? undefined : (limit) => new SharedStore(limit, redis),
    connect: () => databases.connect(),
    close: async () => {
      await access.authenticator.keyUse.settle();
      await passwords.close();
      await databases.closePools();
      await replicas?.close();
      await databases.cells.close();
      await customRules.close();
      await identity.xmlThread.close();
      await redis?.close();
    },
  };
}

type Mailing = ReturnType<typeof mailServices>;

/** Mails and the links in them. */
function mailServices(
  { appSecrets, webUrl, clock }: ServiceOptions,
  { tenants, throttles }: Databases,
) {
  const web = new WebAddress(webUrl);
  return {
    web,
    mail: new MailQueue({ keys: keyRing(appSecrets, 'mail'), throttles, web }),
    mailTokens: new MailTokens(clock),
    unsubscribe: new Unsubscribe({ keys: keyRing(appSecrets, 'unsubscribe'), tenants }),
  };
}

/** What checks the credentials of a request. Their lookups do not use the connections of tenants. */
function accessServices(options: ServiceOptions, databases: Databases, mail: MailQueue) {
  const { clock, log, production } = options;
  const pool = databases.pools.identity;
  const directory = new TenantDirectory(pool);
  const authenticator: Authenticator = {
    pool,
    accessTokens: new AccessTokens(keyRing(options.appSecrets, 'access token'), clock),
    keyLookup: new KeyLookup(pool, clock),
    keyUse: new KeyUse(pool, (err) => log.warn({ err }, 'Failed to record the use of an API key')),
    globalKey: new GlobalKey({ config: options.globalApiKey, production, directory }),
    breakGlass: new BreakGlass({ config: options.breakGlass, production, pool, directory, clock }),
    clock,
  };
  const sharedCredentials = new SharedCredentials(databases.tenants, mail);
  const credentials: Services['credentials'] = {
    authenticate: (headers, begun) => authenticate(headers, authenticator, begun),
    resolveTenant: (principal, header) => resolveTenant(principal, header, directory),
    noteUse: (principal, use) => sharedCredentials.note(principal, use),
  };
  return { directory, authenticator, credentials };
}

interface IdentityParts {
  readonly options: ServiceOptions;
  /** The database with the identities. */
  readonly tenants: TenantDatabase;
  readonly throttles: Throttles;
  readonly passwords: Passwords;
  readonly accessTokens: AccessTokens;
  readonly mailing: Mailing;
}

/** Sign-in, sessions, second factors, registration and password changes. */
function identityServices({ options, mailing, ...parts }: IdentityParts) {
  const { clock, log } = options;
  const { tenants, throttles, passwords, accessTokens } = parts;
  const { web, mail, mailTokens } = mailing;
  const registrationOpen = options.registration === 'open';
  const sessions = new Sessions({ tenants, accessTokens, clock });
  const secondFactors = new SecondFactors(keyRing(options.appSecrets, 'totp'), clock);
  const reauthentication = new Reauthentication({ tenants, passwords, throttles, clock });
  const accounts = { tenants, passwords, mail, mailTokens };
  const samlConfirmation = new SamlConfirmation({
    ...{ tenants, passwords, throttles, secondFactors, sessions, mail, clock },
  });
  const codes = new ExchangeCodes({
    tenants,
    sessions,
    web,
    clock,
    confirmation: samlConfirmation,
  });
  const xmlThread = new XmlThread((err) => log.error({ err }, 'The XML thread failed'));
  const config = options.google;
  const idTokens = config === null ? null : new GoogleIdTokens(config, clock);
  const google = new GoogleSignIn({
    ...{ tenants, sessions, mail, idTokens, registrationOpen, clock },
  });
  return {
    sessions,
    reauthentication,
    signIn: new SignIn({ tenants, passwords, throttles, secondFactors, sessions }),
    google,
    googleRedirect: new GoogleRedirect({ tenants, web, clock, codes, config, signIn: google }),
    saml: new SamlSignIn({ tenants, codes, web, xmlThread, clock }),
    xmlThread,
    samlConfirmation,
    exchangeCodes: codes,
    twoFactor: new TwoFactor({
      ...{ tenants, throttles, reauthentication, secondFactors, sessions, mail },
    }),
    registration: new Registration({ ...accounts, open: registrationOpen }),
    passwordChanges: new PasswordChanges({ ...accounts, reauthentication }),
  };
}

function sourcesOf({ appSecrets, googleCloud }: ServiceOptions): Services['sources'] {
  const keys = keyRing(appSecrets, 'inventory source');
  return {
    keys,
    google: new GoogleClients(googleCloud, keys),
    checks: new UploadSlots(SOURCE_CHECK_SLOTS),
  };
}

function webhooksOf(options: ServiceOptions): WebhookConfig {
  const { appSecrets, webhookAllowCidrs: allow, production, dnsServers } = options;
  return {
    keys: keyRing(appSecrets, WEBHOOK_KEYS),
    addresses: new AddressPolicy({ allow, loopback: !production }),
    lookup: new DnsLookup(dnsServers),
  };
}

function redisOf({ redisUrl: url, redisMode: mode, ...options }: ServiceOptions): RedisLink | null {
  if (url === null) return null;
  const { redisSentinelMaster: sentinelMaster, redisSentinelPassword: sentinelPassword } = options;
  const settings = { mode, url, sentinelMaster, sentinelPassword };
  return new RedisLink(settings, options.log, options.redisTimeoutMs);
}

function metricsOf(
  { pools, shares, cells }: Databases,
  passwords: Passwords,
  redis: RedisLink | null,
  clock: Clock,
) {
  const metrics = new Metrics();
  metrics.watchPool('serving', pools.serving, () => shares.waiting);
  metrics.watchPool('uploads', pools.uploads);
  metrics.watchPool('identity', pools.identity);
  metrics.watchHashing(() => passwords.waiting);
  for (const { name, pool, waiting } of cells.pools) metrics.watchPool(name, pool, waiting);
  const queueOf = (pool: pg.Pool, cell: string | null) => ({
    cell,
    depth: () => queueDepth(pool, clock.now()),
  });
  metrics.watchQueues(
    [
      queueOf(pools.identity, cells.serving.size === 0 ? null : HOME),
      ...[...cells.serving].map(([name, pool]) => queueOf(pool, name)),
    ],
    QUEUED_TASKS,
  );
  if (redis !== null) metrics.watchRedis(() => redis.isUp);
  return metrics;
}
