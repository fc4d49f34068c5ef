import { z } from 'zod';
import type { BreakGlassConfig } from './identity/break-glass.ts';
import type { GlobalKeyConfig } from './identity/global-key.ts';
import { GOOGLE_ISSUER, type GoogleConfig } from './identity/google-config.ts';

/** A fault of the configuration: every one found, each naming its variable and the remedy. */
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

/** A whole number of a range, written in digits. */
function whole(least: number, most: number) {
  const words = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, words)
    .transform(Number)
    .pipe(z.number().min(least, words).max(most, words));
}

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\/\S+$/, 'must be a postgres:// address');
/** A key that a header can carry: what is not in one piece would be refused as doubled. */
const sharedKey = z
  .string()
  .regex(
    /^[!-+\--~]{32,512}$/,
    'must have 32 characters or more, all of them visible ASCII and none a comma',
  );
/** Variables that an operator left empty count as unset. */
const unset = (value: unknown) => (value === '' ? undefined : value);

const variables = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_APP_URL: postgresUrl.optional(),
  DATABASE_WORKER_URL: postgresUrl.optional(),
  DATA_DIR: z.string().default('.data'),
  RATE_LIMIT: whole(1, 1_000_000_000).default(60),
  TRUST_PROXY: z
    .string()
    .regex(
      /^(\d{1,2}|[0-9a-fA-F.:/]+(\s*,\s*[0-9a-fA-F.:/]+)*)$/,
      'must be a number of proxy hops or a comma-separated list of addresses and CIDR ranges (never `true`, which would believe any client)',
    )
    .optional(),
  APP_SECRET: z.string().optional(),
  BOOTSTRAP_EMAIL: z.email().optional(),
  BOOTSTRAP_PASSWORD: z.string().optional(),
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(
      /^cspm_[A-Za-z0-9]{12}_[A-Za-z0-9]{43}$/,
      'must look like cspm_<12 characters>_<43 characters>',
    )
    .optional(),
  WEB_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .optional(),
  MAIL_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// address' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^[^\s<>@]+@[^\s<>@]+$|^[^<>\p{Cc}]{1,100} <[^\s<>@]+@[^\s<>@]+>$/u,
      'must be an address, or a name and an address as in: Posture <posture@example.com>',
    )
    .optional(),
  REGISTRATION: z.enum(['open', 'closed']).optional(),
  GOOGLE_CLIENT_ID: z.string().max(255).optional(),
  GOOGLE_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an https:// address' })
    .transform((issuer) => issuer.replace(/\/+$/, ''))
    .optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// address' }).optional(),
  BREAK_GLASS_ENABLED: z.enum(['true', 'false'], 'must be true or false').default('false'),
  MASTER_KEY: sharedKey.optional(),
  BREAK_GLASS_TTL_MINUTES: whole(1, 1_440).default(60),
  GLOBAL_API_KEY: sharedKey
    .regex(/^(?!cspm_)/, 'must not begin with cspm_, as per-user keys do')
    .optional(),
  GLOBAL_API_KEY_TENANT: z.guid('must be the id of a tenant').optional(),
  CORS_ORIGINS: z.string().optional(),
  WORKER: z.enum(['inline', 'off', 'only']).default('inline'),
  INVENTORY_MAX_BYTES: whole(1, Number.MAX_SAFE_INTEGER).default(10 * 1024 ** 3),
  INVENTORIES_KEPT: whole(1, 1_000).default(5),
  METRICS_PORT: whole(0, 65_535).optional(),
  AUDIT_RETENTION_MONTHS: whole(1, 1_200).default(24),
  SCAN_RETENTION_MONTHS: whole(1, 1_200).default(13),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

/** The names of all variables that the server reads. */
export const VARIABLES: readonly string[] = Object.keys(variables.shape);

/** How the process is to run: parsed once, at start, and frozen. */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Null: the embedded Postgres serves. */
  readonly database: {
    readonly ownerUrl: string;
    readonly appUrl: string;
    readonly workerUrl: string;
  } | null;
  readonly dataDir: string;
  /** Requests per minute and client address. */
  readonly rateLimit: number;
  /** As Express takes it: hops, or addresses and ranges. */
  readonly trustProxy: number | readonly string[] | false;
  /** The first one signs and seals, all of them verify and open. Null: one is kept in the data folder. */
  readonly appSecrets: readonly string[] | null;
  readonly bootstrap: {
    readonly email: string | null;
    readonly password: string | null;
    readonly apiKey: string | null;
  };
  /** Where people reach the service with a browser, without a slash at the end. Null: the server itself. */
  readonly webUrl: string | null;
  readonly mail: {
    /** `smtp://…`; null: each mail becomes a file in the data folder. */
    readonly url: string | null;
    readonly from: string;
  };
  readonly registration: 'open' | 'closed';
  /** Whose ID tokens open sessions, and those made for whom. Null: nobody's. */
  readonly google: GoogleConfig | null;
  /** Where rate limits are counted for all instances. Null: in the memory of this process. */
  readonly redisUrl: string | null;
  /** Null: a master key is refused like any wrong one. */
  readonly breakGlass: BreakGlassConfig | null;
  /** Null: there is no key but those of users. */
  readonly globalApiKey: GlobalKeyConfig | null;
  readonly corsOrigins: readonly string[];
  readonly worker: 'inline' | 'off' | 'only';
  readonly inventoryMaxBytes: number;
  readonly inventoriesKept: number;
  /** After how many months the audit trail and scans are cleared away. */
  readonly retention: { readonly auditMonths: number; readonly scanMonths: number };
  /** Where Prometheus finds the metrics, on the host of the server. Null: nowhere. */
  readonly metricsPort: number | null;
  readonly logLevel: string;
}

/**
 * Reads the configuration from the environment; nothing else in the server does.
 * @throws {ConfigError} that lists every fault at once.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(variables.shape)) {
    const parsed = schema.safeParse(unset(environment[name]));
    if (parsed.success) values[name] = parsed.data;
    else faults.push(...parsed.error.issues.map(({ message }) => `${name}: ${message}`));
  }
  // Each value was parsed by its own schema; one that was refused is missing, and its fault is told already.
  const found = values as Variables;
  faults.push(...faultsBetween(found, environment));
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(configFrom(found));
}

type Variables = z.infer<typeof variables>;

const REQUIRED_IN_PRODUCTION = [
  'APP_SECRET',
  'DATABASE_URL',
  'DATABASE_APP_URL',
  'WEB_URL',
  'MAIL_URL',
] as const;

/** What is wrong between variables, or with what a pattern does not tell. */
function faultsBetween(v: Variables, given: Record<string, string | undefined>): string[] {
  const faults: string[] = [];
  if (v.NODE_ENV === 'production') {
    for (const name of REQUIRED_IN_PRODUCTION) {
      if (unset(given[name]) === undefined) faults.push(`${name}: is required in production`);
    }
  }
  for (const name of ['DATABASE_APP_URL', 'DATABASE_WORKER_URL'] as const) {
    if (v[name] !== undefined && v.DATABASE_URL === undefined) {
      faults.push(`${name}: needs DATABASE_URL (the owner's, for migrations) beside it`);
    }
  }
  for (const secret of secretsOf(v.APP_SECRET) ?? []) {
    if (Buffer.byteLength(secret) < 32)
      faults.push('APP_SECRET: each secret must have 32 bytes or more');
  }
  if (v.GOOGLE_ISSUER !== undefined && !isConfidential(new URL(v.GOOGLE_ISSUER))) {
    faults.push('GOOGLE_ISSUER: must be an https:// address, or one of this machine');
  }
  for (const [one, other] of [
    ['GLOBAL_API_KEY', 'GLOBAL_API_KEY_TENANT'],
    ['GLOBAL_API_KEY_TENANT', 'GLOBAL_API_KEY'],
  ] as const) {
    if (unset(given[one]) !== undefined && unset(given[other]) === undefined) {
      faults.push(`${other}: is required beside ${one}`);
    }
  }
  const secrets = [v.MASTER_KEY, v.GLOBAL_API_KEY, ...(secretsOf(v.APP_SECRET) ?? [])];
  const shared = secrets.filter((secret) => secret !== undefined);
  if (new Set(shared).size < shared.length) {
    faults.push('MASTER_KEY: it, GLOBAL_API_KEY and APP_SECRET must be different secrets');
  }
  for (const origin of listOf(v.CORS_ORIGINS)) {
    if (!isOrigin(origin))
      faults.push(`CORS_ORIGINS: ${origin} is not an origin (scheme://host[:port])`);
  }
  if (v.BOOTSTRAP_PASSWORD !== undefined) {
    const length = Buffer.byteLength(v.BOOTSTRAP_PASSWORD);
    if (v.BOOTSTRAP_PASSWORD.length < 12 || length > 72) {
      faults.push('BOOTSTRAP_PASSWORD: must have 12 characters or more and at most 72 bytes');
    }
  }
  if (
    (v.BOOTSTRAP_PASSWORD ?? v.BOOTSTRAP_API_KEY) !== undefined &&
    v.BOOTSTRAP_EMAIL === undefined
  ) {
    faults.push('BOOTSTRAP_EMAIL: is required beside BOOTSTRAP_PASSWORD or BOOTSTRAP_API_KEY');
  }
  return faults;
}

function configFrom(v: Variables): Config {
  const production = v.NODE_ENV === 'production';
  const appUrl = v.DATABASE_APP_URL ?? v.DATABASE_URL;
  const webUrl = v.WEB_URL?.replace(/\/+$/, '') ?? null;
  return {
    production,
    port: v.PORT,
    host: v.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    database:
      v.DATABASE_URL !== undefined && appUrl !== undefined
        ? { ownerUrl: v.DATABASE_URL, appUrl, workerUrl: v.DATABASE_WORKER_URL ?? appUrl }
        : null,
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
    google:
      v.GOOGLE_CLIENT_ID === undefined
        ? null
        : { clientId: v.GOOGLE_CLIENT_ID, issuer: v.GOOGLE_ISSUER ?? GOOGLE_ISSUER },
    redisUrl: v.REDIS_URL ?? null,
    breakGlass:
      v.BREAK_GLASS_ENABLED === 'true' && v.MASTER_KEY !== undefined
        ? { key: v.MASTER_KEY, ttlMinutes: v.BREAK_GLASS_TTL_MINUTES }
        : null,
    globalApiKey:
      v.GLOBAL_API_KEY === undefined || v.GLOBAL_API_KEY_TENANT === undefined
        ? null
        : { key: v.GLOBAL_API_KEY, tenantId: v.GLOBAL_API_KEY_TENANT.toLowerCase() },
    corsOrigins: listOf(v.CORS_ORIGINS),
    worker: v.WORKER,
    inventoryMaxBytes: v.INVENTORY_MAX_BYTES,
    inventoriesKept: v.INVENTORIES_KEPT,
    metricsPort: v.METRICS_PORT ?? null,
    retention: { auditMonths: v.AUDIT_RETENTION_MONTHS, scanMonths: v.SCAN_RETENTION_MONTHS },
    logLevel: v.LOG_LEVEL,
  };
}

function senderAt(webUrl: string | null): string {
  return `no-reply@${webUrl === null ? 'localhost' : new URL(webUrl).hostname}`;
}

function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function secretsOf(value: string | undefined): string[] | null {
  const secrets = listOf(value);
  return secrets.length === 0 ? null : secrets;
}

function trustProxyOf(value: string | undefined): Config['trustProxy'] {
  if (value === undefined) return false;
  return /^\d+$/.test(value) ? Number(value) : listOf(value);
}

/** Whether nobody on the way can put something else in the place of what is fetched there. */
function isConfidential(url: URL): boolean {
  return url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

function isOrigin(value: string): boolean {
  // An asterisk is a host name to URL, and never one to a browser: it would match nothing, in silence.
  return URL.canParse(value) && new URL(value).origin === value && !value.includes('*');
}
