import { z } from 'zod';
import {
  isBaseUrl,
  isConfidential,
  isOrigin,
  isProxyRange,
  isServerAddress,
  namesHost,
  spellsRequireTls,
} from './config-addresses.ts';
import { unset, withoutLastLineBreaks } from './config-environment.ts';
import { listOf, secretsOf, trustProxyOf } from './config-lists.ts';
import { databaseFaults } from './database-config.ts';
import { googleCloudFaults, googleCloudFrom } from './google-cloud-config.ts';
import type { BreakGlassConfig } from './modules/auth/credentials/break-glass.ts';
import type { GlobalKeyConfig } from './modules/auth/credentials/global-key.ts';
import {
  GOOGLE_AUTH_URL,
  GOOGLE_ISSUER,
  type GoogleConfig,
} from './modules/auth/google/google-config.ts';
import { MIN_RETENTION_MONTHS } from './modules/maintenance/retention.ts';
import type { GoogleSettings } from './modules/sources/index.ts';
import { isRange } from './modules/webhooks/address-policy.ts';
import { type Cell, databaseCells } from './platform/cells/cell-config.ts';
import type { RedisMode } from './platform/redis-settings.ts';
import { redisFaults } from './redis-config.ts';
import { DEVELOPMENT_DRAIN, DRAIN, MAX_NOTICE_MS } from './shutdown-timeouts.ts';

/** Invalid configuration: lists every fault, each with its variable and the remedy. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length} fault(s):\n${faults.map((f) => `  - ${f}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** A whole number within a range, in decimal digits. */
function whole(least: number, most: number) {
  const words = `must be an integer from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, words)
    .transform(Number)
    .pipe(z.number().min(least, words).max(most, words));
}

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\/\S+$/, 'must be a postgres:// URL');
/** A key that fits into a header; a comma or blank would make it look like two values. */
const sharedKey = z
  .string()
  .regex(/^[!-+\--~]{32,512}$/, 'must have 32 or more visible ASCII characters and no comma');
/** One of two or more words, which the message lists. */
const oneOf = <const Words extends readonly [string, string, ...string[]]>(...words: Words) =>
  z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

const variables = z.object({
  NODE_ENV: oneOf('production', 'development', 'test').default('development'),
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_APP_URL: postgresUrl.optional(),
  DATABASE_WORKER_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  DATABASE_CELLS: databaseCells.default([]),
  DATA_DIR: z.string().default('.data'),
  RATE_LIMIT: whole(1, 1_000_000_000).default(60),
  TRUST_PROXY: z
    .string()
    .regex(
      /^(\d{1,2}|[0-9a-fA-F.:/]+(\s*,\s*[0-9a-fA-F.:/]+)*)$/,
      'must be a number of proxy hops or a comma-separated list of addresses and CIDR ranges (never `true`, which would trust any client)',
    )
    .optional(),
  APP_SECRET: z.string().optional(),
  BOOTSTRAP_EMAIL: z.email('must be an e-mail address').optional(),
  BOOTSTRAP_PASSWORD: z.string().optional(),
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(
      /^cspm_[A-Za-z0-9]{12}_[A-Za-z0-9]{43}$/,
      'must have the form cspm_<12 characters>_<43 characters>',
    )
    .optional(),
  WEB_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .refine(isBaseUrl, 'must not have credentials, a query or a fragment: paths are appended to it')
    .optional(),
  MAIL_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp:// URL' })
    .refine(namesHost, 'must name the host of the mail server, such as smtp://mail.example.com:587')
    .refine(spellsRequireTls, 'must spell its parameter requireTLS=true: others are ignored')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^[^\s<>@]+@[^\s<>@]+$|^[^<>\p{Cc}]{1,100} <[^\s<>@]+@[^\s<>@]+>$/u,
      'must be an address, or a name and an address such as: Posture <posture@example.com>',
    )
    .optional(),
  REGISTRATION: oneOf('open', 'closed').optional(),
  GOOGLE_CLIENT_ID: z.string().max(255, 'must have at most 255 characters').optional(),
  GOOGLE_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an https:// URL' })
    .transform((issuer) => issuer.replace(/\/+$/, ''))
    .optional(),
  GOOGLE_ASSET_URL: z.string().optional(),
  GOOGLE_TOKEN_URL: z.string().optional(),
  GOOGLE_IAM_CREDENTIALS_URL: z.string().optional(),
  GOOGLE_APPLICATION_CREDENTIALS: z.string().optional(),
  GOOGLE_AUTH_URL: z.url({ protocol: /^https?$/, error: 'must be an https:// URL' }).optional(),
  DNS_SERVERS: z.string().optional(),
  REDIS_URL: z.string().optional(),
  REDIS_MODE: oneOf('single', 'cluster', 'sentinel').default('single'),
  REDIS_SENTINEL_MASTER: z.string().max(255, 'must have at most 255 characters').optional(),
  REDIS_SENTINEL_PASSWORD: z.string().optional(),
  REDIS_TIMEOUT_MS: whole(10, 60_000).default(200),
  DATABASE_TIMEOUT_MS: whole(100, 60_000).default(2_000),
  BREAK_GLASS_ENABLED: oneOf('true', 'false').default('false'),
  MASTER_KEY: sharedKey.optional(),
  BREAK_GLASS_TTL_MINUTES: whole(1, 1_440).default(60),
  GLOBAL_API_KEY: sharedKey
    .regex(/^(?!cspm_)/, 'must not begin with cspm_, the prefix of per-user keys')
    .optional(),
  GLOBAL_API_KEY_TENANT: z.guid('must be the id of a tenant').optional(),
  CORS_ORIGINS: z.string().optional(),
  MAX_CONNECTIONS: whole(10, 1_000_000).default(5_000),
  SHUTDOWN_NOTICE_MS: whole(0, MAX_NOTICE_MS).optional(),
  WORKER: oneOf('inline', 'off', 'only').default('inline'),
  INVENTORY_MAX_BYTES: whole(1, Number.MAX_SAFE_INTEGER).default(10 * 1024 ** 3),
  INVENTORIES_KEPT: whole(1, 1_000).default(5),
  METRICS_PORT: whole(0, 65_535).optional(),
  AUDIT_RETENTION_MONTHS: whole(MIN_RETENTION_MONTHS, 1_200).default(24),
  SCAN_RETENTION_MONTHS: whole(MIN_RETENTION_MONTHS, 1_200).default(13),
  WEBHOOK_ALLOW_CIDRS: z.string().optional(),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
});

/** The names of all variables that the server reads. */
export const VARIABLES: readonly string[] = Object.keys(variables.shape);

/** The configuration of the process: parsed once at start, then frozen. */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Null: the embedded Postgres serves. */
  readonly database: {
    readonly ownerUrl: string;
    readonly appUrl: string;
    readonly workerUrl: string;
    /** One replica, or several as a list of hosts. Null: the primary serves all reads. */
    readonly replicaUrl: string | null;
  } | null;
  /** Further databases that hold rows of tenants. */
  readonly cells: readonly Cell[];
  readonly dataDir: string;
  /** Requests per minute and client address. */
  readonly rateLimit: number;
  /** In the syntax of Express: a number of hops, or addresses and ranges. */
  readonly trustProxy: number | readonly string[] | false;
  /** The first one signs and seals, all of them verify and open. Null: one is kept in the data folder. */
  readonly appSecrets: readonly string[] | null;
  readonly bootstrap: {
    readonly email: string | null;
    readonly password: string | null;
    readonly apiKey: string | null;
  };
  /** The public URL of the service, without a trailing slash. Null: the server's own address. */
  readonly webUrl: string | null;
  readonly mail: {
    /** `smtp://…`; null: each mail becomes a file in the data folder. */
    readonly url: string | null;
    readonly from: string;
  };
  readonly registration: 'open' | 'closed';
  /** Issuer and audience of the ID tokens that open sessions. Null: ID tokens are refused. */
  readonly google: GoogleConfig | null;
  /** Where inventories are pulled from, and the variables that name the service's own identity in Google Cloud. */
  readonly googleCloud: GoogleSettings;
  /** DNS server for e-mail domains, as `address` or `address:port`. Null: the system's servers. */
  readonly dnsServers: readonly string[] | null;
  /** The Redis that counts rate limits for all instances. Null: in the memory of this process. */
  readonly redisUrl: string | null;
  readonly redisMode: RedisMode;
  readonly redisSentinelMaster: string | null;
  readonly redisSentinelPassword: string | null;
  /** The longest that one request waits for Redis. */
  readonly redisTimeoutMs: number;
  readonly databaseTimeoutMs: number;
  /** Null: every master key is refused. */
  readonly breakGlass: BreakGlassConfig | null;
  /** It is enabled without a key, so it stays off. */
  readonly breakGlassLacksKey: boolean;
  /** Null: only the keys of users are accepted. */
  readonly globalApiKey: GlobalKeyConfig | null;
  readonly corsOrigins: readonly string[];
  /** Maximum number of open connections; one address may hold a quarter of them if no proxy is trusted. */
  readonly maxConnections: number;
  /** Milliseconds from failing readiness until the server stops accepting requests. */
  readonly shutdownNoticeMs: number;
  readonly worker: 'inline' | 'off' | 'only';
  readonly inventoryMaxBytes: number;
  readonly inventoriesKept: number;
  /** Months after which audit events and scans are deleted. */
  readonly retention: { readonly auditMonths: number; readonly scanMonths: number };
  /** Where Prometheus reads the metrics, on the host of the server. Null: not served. */
  readonly metricsPort: number | null;
  /** Ranges besides public addresses that webhooks may connect to. */
  readonly webhookAllowCidrs: readonly string[];
  readonly logLevel: string;
}

/**
 * Reads the configuration from the environment; nothing else in the server does.
 * @throws {ConfigError} that lists every fault at once.
 */
export function readConfig(given: Record<string, string | undefined>): Config {
  const environment = withoutLastLineBreaks(given);
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(variables.shape)) {
    const parsed = schema.safeParse(unset(environment[name]));
    if (parsed.success) values[name] = parsed.data;
    else faults.push(...parsed.error.issues.map(({ message }) => `${name}: ${message}`));
  }
  // Each value was parsed by its own schema; an invalid one is missing here and already reported.
  const found = values as Variables;
  faults.push(...faultsBetween(found, environment));
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(configFrom(found, environment));
}

type Variables = z.infer<typeof variables>;

const REQUIRED_IN_PRODUCTION = [
  'APP_SECRET',
  'DATABASE_URL',
  'DATABASE_APP_URL',
  'WEB_URL',
  'MAIL_URL',
] as const;

/** Faults between variables, or faults that a pattern cannot express. */
function faultsBetween(v: Variables, given: Record<string, string | undefined>): string[] {
  const faults: string[] = [];
  if (v.NODE_ENV === 'production') {
    for (const name of REQUIRED_IN_PRODUCTION) {
      if (unset(given[name]) === undefined) faults.push(`${name}: is required in production`);
    }
  }
  faults.push(...databaseFaults(v, unset(given['DATABASE_URL']) !== undefined));
  for (const secret of secretsOf(v.APP_SECRET) ?? []) {
    if (Buffer.byteLength(secret) < 32)
      faults.push('APP_SECRET: each secret must have at least 32 bytes');
  }
  for (const name of ['GOOGLE_ISSUER', 'GOOGLE_AUTH_URL'] as const) {
    if (v[name] !== undefined && !isConfidential(new URL(v[name]))) {
      faults.push(`${name}: must be an https:// URL, or a URL of this machine`);
    }
  }
  faults.push(...googleCloudFaults(v));
  faults.push(...redisFaults(v));
  for (const [one, other] of [
    ['GLOBAL_API_KEY', 'GLOBAL_API_KEY_TENANT'],
    ['GLOBAL_API_KEY_TENANT', 'GLOBAL_API_KEY'],
  ] as const) {
    if (unset(given[one]) !== undefined && unset(given[other]) === undefined) {
      faults.push(`${other}: is required together with ${one}`);
    }
  }
  const secrets = [v.MASTER_KEY, v.GLOBAL_API_KEY, ...(secretsOf(v.APP_SECRET) ?? [])];
  const shared = secrets.filter((secret) => secret !== undefined);
  if (new Set(shared).size < shared.length) {
    faults.push('MASTER_KEY: MASTER_KEY, GLOBAL_API_KEY and APP_SECRET must be different');
  }
  const isShared = v.METRICS_PORT !== undefined && v.METRICS_PORT === v.PORT;
  if (isShared && v.PORT !== 0 && v.WORKER !== 'only') {
    faults.push('METRICS_PORT: must be another port than PORT');
  }
  for (const origin of listOf(v.CORS_ORIGINS)) {
    if (!isOrigin(origin))
      faults.push(`CORS_ORIGINS: ${origin} is not an origin (scheme://host[:port])`);
  }
  const proxies = trustProxyOf(v.TRUST_PROXY);
  for (const proxy of Array.isArray(proxies) ? proxies : []) {
    if (!isProxyRange(proxy)) {
      faults.push(`TRUST_PROXY: ${proxy} is not an address or a CIDR range such as 10.0.0.0/8`);
    }
  }
  for (const server of listOf(v.DNS_SERVERS)) {
    if (!isServerAddress(server)) {
      faults.push(
        `DNS_SERVERS: ${server} is not an IP address with an optional port ([v6]:port for IPv6)`,
      );
    }
  }
  for (const range of listOf(v.WEBHOOK_ALLOW_CIDRS)) {
    if (!isRange(range)) {
      faults.push(`WEBHOOK_ALLOW_CIDRS: ${range} is not a range of addresses such as 10.0.0.0/8`);
    }
  }
  if (v.BOOTSTRAP_PASSWORD !== undefined) {
    if (v.BOOTSTRAP_PASSWORD.includes('\0')) {
      faults.push('BOOTSTRAP_PASSWORD: must not contain the NUL character');
    }
    const length = Buffer.byteLength(v.BOOTSTRAP_PASSWORD);
    if (v.BOOTSTRAP_PASSWORD.length < 12 || length > 72) {
      faults.push('BOOTSTRAP_PASSWORD: must have at least 12 characters and at most 72 bytes');
    }
  }
  if (
    (v.BOOTSTRAP_PASSWORD ?? v.BOOTSTRAP_API_KEY) !== undefined &&
    v.BOOTSTRAP_EMAIL === undefined
  ) {
    faults.push(
      'BOOTSTRAP_EMAIL: is required together with BOOTSTRAP_PASSWORD or BOOTSTRAP_API_KEY',
    );
  }
  return faults;
}

function configFrom(v: Variables, given: Record<string, string | undefined>): Config {
  const production = v.NODE_ENV === 'production';
  const appUrl = v.DATABASE_APP_URL ?? v.DATABASE_URL;
  const webUrl = v.WEB_URL?.replace(/\/+$/, '') ?? null;
  return {
    production,
    port: v.PORT,
    host: v.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    database:
      v.DATABASE_URL !== undefined && appUrl !== undefined
        ? {
            ownerUrl: v.DATABASE_URL,
            appUrl,
            workerUrl: v.DATABASE_WORKER_URL ?? appUrl,
            replicaUrl: v.DATABASE_REPLICA_URL ?? null,
          }
        : null,
    cells: v.DATABASE_CELLS,
    dataDir: v.DATA_DIR,
    rateLimit: v.RATE_LIMIT,
    trustProxy: trustProxyOf(v.TRUST_PROXY),
    appSecrets: secretsOf(v.APP_SECRET),
    bootstrap: {
      email: v.BOOTSTRAP_EMAIL?.toLowerCase() ?? null,
      password: v.BOOTSTRAP_PASSWORD ?? null,
      apiKey: v.BOOTSTRAP_API_KEY ?? null,
    },
    webUrl,
    mail: { url: v.MAIL_URL ?? null, from: v.MAIL_FROM ?? senderAt(webUrl) },
    registration: v.REGISTRATION ?? (production ? 'closed' : 'open'),
    google: googleOf(v),
    googleCloud: googleCloudFrom(v, given),
    dnsServers: v.DNS_SERVERS === undefined ? null : listOf(v.DNS_SERVERS),
    redisUrl: v.REDIS_URL ?? null,
    redisMode: v.REDIS_MODE,
    redisSentinelMaster: v.REDIS_SENTINEL_MASTER ?? null,
    redisSentinelPassword: v.REDIS_SENTINEL_PASSWORD ?? null,
    redisTimeoutMs: v.REDIS_TIMEOUT_MS,
    databaseTimeoutMs: v.DATABASE_TIMEOUT_MS,
    breakGlass:
      v.BREAK_GLASS_ENABLED === 'true' && v.MASTER_KEY !== undefined
        ? { key: v.MASTER_KEY, ttlMinutes: v.BREAK_GLASS_TTL_MINUTES }
        : null,
    breakGlassLacksKey: v.BREAK_GLASS_ENABLED === 'true' && v.MASTER_KEY === undefined,
    globalApiKey:
      v.GLOBAL_API_KEY === undefined || v.GLOBAL_API_KEY_TENANT === undefined
        ? null
        : { key: v.GLOBAL_API_KEY, tenantId: v.GLOBAL_API_KEY_TENANT.toLowerCase() },
    corsOrigins: listOf(v.CORS_ORIGINS),
    maxConnections: v.MAX_CONNECTIONS,
    shutdownNoticeMs: v.SHUTDOWN_NOTICE_MS ?? (production ? DRAIN : DEVELOPMENT_DRAIN).noticeMs,
    worker: v.WORKER,
    inventoryMaxBytes: v.INVENTORY_MAX_BYTES,
    inventoriesKept: v.INVENTORIES_KEPT,
    metricsPort: v.METRICS_PORT ?? null,
    retention: { auditMonths: v.AUDIT_RETENTION_MONTHS, scanMonths: v.SCAN_RETENTION_MONTHS },
    webhookAllowCidrs: listOf(v.WEBHOOK_ALLOW_CIDRS),
    logLevel: v.LOG_LEVEL,
  };
}

/** Without a URL of its own, only Google's issuer has a known authorization endpoint. */
function googleOf(v: Variables): GoogleConfig | null {
  if (v.GOOGLE_CLIENT_ID === undefined) return null;
  const issuer = v.GOOGLE_ISSUER ?? GOOGLE_ISSUER;
  const authUrl = v.GOOGLE_AUTH_URL ?? (issuer === GOOGLE_ISSUER ? GOOGLE_AUTH_URL : null);
  return { clientId: v.GOOGLE_CLIENT_ID, issuer, authUrl };
}

function senderAt(webUrl: string | null): string {
  return `no-reply@${webUrl === null ? 'localhost' : new URL(webUrl).hostname}`;
}
