import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, VARIABLES } from './config.ts';

type Environment = Record<string, string | undefined>;

const SECRET = 'a secret of the application of 32 bytes or more';
const URL_OWNER = 'postgresql://owner:secret@db/cspm';
const URL_APP = 'postgresql://app:secret@db/cspm';
const TENANT = '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27';
const KEY = `cspm_${'a'.repeat(12)}_${'b'.repeat(43)}`;

function faultsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('an empty environment', () => {
  it('is a development server on an embedded database', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      database: null,
      dataDir: '.data',
      rateLimit: 60,
      trustProxy: false,
      appSecrets: null,
      bootstrap: { email: null, password: null, apiKey: null },
      corsOrigins: [],
      worker: 'inline',
      inventoryMaxBytes: 10 * 1024 ** 3,
      inventoriesKept: 5,
      shutdownNoticeMs: 0,
      logLevel: 'info',
    });
  });

  it('is the same when its variables are there and empty', () => {
    const names = [
      'PORT',
      'HOST',
      'DATABASE_URL',
      'TRUST_PROXY',
      'APP_SECRET',
      'NODE_ENV',
      'WORKER',
    ];
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it('returns a frozen configuration', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });
});

describe('a variable is taken as it is meant:', () => {
  const base = { DATABASE_URL: URL_OWNER };

  it.each<[Environment, Record<string, unknown>]>([
    [
      {
        DATABASE_URL: URL_OWNER,
        DATABASE_CELLS: `{"eu-2": {"url": "${URL_OWNER}", "appUrl": "${URL_APP}"}}`,
      },
      { cells: [{ name: 'eu-2', ownerUrl: URL_OWNER, appUrl: URL_APP, workerUrl: URL_APP }] },
    ],
    [{ PORT: '0' }, { port: 0 }],
    [{ HOST: '::1' }, { host: '::1' }],
    [base, { database: { ownerUrl: URL_OWNER, appUrl: URL_OWNER, workerUrl: URL_OWNER } }],
    [
      { ...base, DATABASE_APP_URL: URL_APP },
      { database: { ownerUrl: URL_OWNER, appUrl: URL_APP, workerUrl: URL_APP } },
    ],
    [
      { ...base, DATABASE_APP_URL: URL_APP, DATABASE_WORKER_URL: 'postgres://w@db/cspm' },
      { database: { ownerUrl: URL_OWNER, appUrl: URL_APP, workerUrl: 'postgres://w@db/cspm' } },
    ],
    [{ DATA_DIR: '/var/lib/cspm' }, { dataDir: '/var/lib/cspm' }],
    [{ RATE_LIMIT: '600' }, { rateLimit: 600 }],
    [{ TRUST_PROXY: '2' }, { trustProxy: 2 }],
    [{ TRUST_PROXY: '10.0.0.0/8, fd00::/8' }, { trustProxy: ['10.0.0.0/8', 'fd00::/8'] }],
    [{ APP_SECRET: SECRET }, { appSecrets: [SECRET] }],
    [{ GOOGLE_ISSUER: 'https://idp.example' }, { google: null }],
    [
      { GOOGLE_CLIENT_ID: 'id' },
      {
        google: {
          clientId: 'id',
          issuer: 'https://accounts.google.com',
          authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
        },
      },
    ],
    [
      { GOOGLE_CLIENT_ID: 'id', GOOGLE_ISSUER: 'http://127.0.0.1:9000/' },
      { google: { clientId: 'id', issuer: 'http://127.0.0.1:9000', authUrl: null } },
    ],
    [
      { GOOGLE_CLIENT_ID: 'id', GOOGLE_AUTH_URL: 'http://127.0.0.1:9000/authorize' },
      {
        google: {
          clientId: 'id',
          issuer: 'https://accounts.google.com',
          authUrl: 'http://127.0.0.1:9000/authorize',
        },
      },
    ],
    [
      { GOOGLE_ASSET_URL: 'http://127.0.0.1:9000/' },
      {
        googleCloud: expect.objectContaining({
          endpoints: {
            assetUrl: 'http://127.0.0.1:9000',
            tokenUrl: 'https://oauth2.googleapis.com/token',
            iamCredentialsUrl: 'https://iamcredentials.googleapis.com',
          },
        }),
      },
    ],
    [{ APP_SECRET: `${SECRET}2, ${SECRET}` }, { appSecrets: [`${SECRET}2`, SECRET] }],
    [
      {
        BOOTSTRAP_EMAIL: 'Ada@Example.com',
        BOOTSTRAP_PASSWORD: 'x'.repeat(12),
        BOOTSTRAP_API_KEY: KEY,
      },
      { bootstrap: { email: 'ada@example.com', password: 'x'.repeat(12), apiKey: KEY } },
    ],
    [
      { CORS_ORIGINS: 'https://a.example, http://localhost:5173' },
      { corsOrigins: ['https://a.example', 'http://localhost:5173'] },
    ],
    [{ REDIS_URL: 'redis://cache:6379' }, { redisUrl: 'redis://cache:6379' }],
    [{}, { redisTimeoutMs: 200 }],
    [{ REDIS_TIMEOUT_MS: '1000' }, { redisTimeoutMs: 1_000 }],
    [{}, { databaseTimeoutMs: 2_000 }],
    [{ DATABASE_TIMEOUT_MS: '10000' }, { databaseTimeoutMs: 10_000 }],
    [
      { DNS_SERVERS: '192.0.2.1, 192.0.2.2:5353,[2001:db8::1]:53,2001:db8::2' },
      { dnsServers: ['192.0.2.1', '192.0.2.2:5353', '[2001:db8::1]:53', '2001:db8::2'] },
    ],
    [
      { WEBHOOK_ALLOW_CIDRS: '10.20.0.0/16, fd12::/16' },
      { webhookAllowCidrs: ['10.20.0.0/16', 'fd12::/16'] },
    ],
    [{ MASTER_KEY: 'm'.repeat(32) }, { breakGlass: null }],
    [{ BREAK_GLASS_ENABLED: 'true' }, { breakGlass: null }],
    [
      { BREAK_GLASS_ENABLED: 'true', MASTER_KEY: 'm'.repeat(32) },
      { breakGlass: { key: 'm'.repeat(32), ttlMinutes: 60 } },
    ],
    [
      { GLOBAL_API_KEY: 'g'.repeat(32), GLOBAL_API_KEY_TENANT: TENANT.toUpperCase() },
      { globalApiKey: { key: 'g'.repeat(32), tenantId: TENANT } },
    ],
    [{ WORKER: 'off' }, { worker: 'off' }],
    [{ SHUTDOWN_NOTICE_MS: '10000' }, { shutdownNoticeMs: 10_000 }],
    [
      { INVENTORY_MAX_BYTES: '1024', INVENTORIES_KEPT: '1' },
      { inventoryMaxBytes: 1024, inventoriesKept: 1 },
    ],
    [{ LOG_LEVEL: 'trace' }, { logLevel: 'trace' }],
    [
      {
        NODE_ENV: 'production',
        APP_SECRET: SECRET,
        DATABASE_URL: URL_OWNER,
        DATABASE_APP_URL: URL_APP,
      },
      { production: true, host: '0.0.0.0' },
    ],
  ])('%o', (environment, expected) => {
    const complete = environment['NODE_ENV'] === 'production' ? PRODUCTION : {};
    expect(readConfig({ ...complete, ...environment })).toMatchObject(expected);
  });
});

/** The other variables that production requires. */
const PRODUCTION: Environment = {
  WEB_URL: 'https://cspm.example',
  MAIL_URL: 'smtp://mail.example',
};

describe('a variable is refused, by its name, when it is', () => {
  it.each<[string, Environment]>([
    ['DATABASE_CELLS', { DATABASE_CELLS: 'postgres://db/cspm' }],
    ['DATABASE_CELLS', { DATABASE_CELLS: `{"home": {"url": "${URL_OWNER}"}}` }],
    ['DATABASE_CELLS', { DATABASE_CELLS: `{"eu-2": {"url": "${URL_OWNER}"}}` }],
    ['NODE_ENV', { NODE_ENV: 'prod' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: '3000.5' }],
    ['PORT', { PORT: 'http' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://db/cspm' }],
    ['DATABASE_URL', { DATABASE_URL: 'db' }],
    ['DATABASE_APP_URL', { DATABASE_APP_URL: URL_APP }],
    ['DATABASE_WORKER_URL', { DATABASE_WORKER_URL: URL_APP }],
    ['RATE_LIMIT', { RATE_LIMIT: '0' }],
    ['RATE_LIMIT', { RATE_LIMIT: 'none' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'all' }],
    ['TRUST_PROXY', { TRUST_PROXY: '-1' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'loopback' }],
    ['APP_SECRET', { APP_SECRET: 'x'.repeat(31) }],
    ['APP_SECRET', { APP_SECRET: `${SECRET},short` }],
    ['BOOTSTRAP_EMAIL', { BOOTSTRAP_EMAIL: 'ada' }],
    ['BOOTSTRAP_EMAIL', { BOOTSTRAP_PASSWORD: 'x'.repeat(12) }],
    ['BOOTSTRAP_EMAIL', { BOOTSTRAP_API_KEY: KEY }],
    ['BOOTSTRAP_PASSWORD', { BOOTSTRAP_EMAIL: 'a@b.example', BOOTSTRAP_PASSWORD: 'x'.repeat(11) }],
    ['BOOTSTRAP_PASSWORD', { BOOTSTRAP_EMAIL: 'a@b.example', BOOTSTRAP_PASSWORD: '€'.repeat(25) }],
    ['BOOTSTRAP_API_KEY', { BOOTSTRAP_EMAIL: 'a@b.example', BOOTSTRAP_API_KEY: 'cspm_short' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: '*' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://a.example/' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'a.example' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'null' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://a.example,https://*.b.example' }],
    ['WEBHOOK_ALLOW_CIDRS', { WEBHOOK_ALLOW_CIDRS: '10.20.0.0' }],
    ['WEBHOOK_ALLOW_CIDRS', { WEBHOOK_ALLOW_CIDRS: '10.20.0.0/16,internal/8' }],
    ['DNS_SERVERS', { DNS_SERVERS: 'dns.example.com' }],
    ['DNS_SERVERS', { DNS_SERVERS: '192.0.2.1:70000' }],
    ['DNS_SERVERS', { DNS_SERVERS: '300.1.1.1:53' }],
    ['REDIS_URL', { REDIS_URL: 'cache:6379' }],
    ['REDIS_URL', { REDIS_URL: 'http://cache' }],
    ['MASTER_KEY', { MASTER_KEY: 'm'.repeat(31) }],
    ['MASTER_KEY', { MASTER_KEY: `${'m'.repeat(32)},` }],
    ['MASTER_KEY', { MASTER_KEY: `${'m'.repeat(32)} m` }],
    ['BREAK_GLASS_ENABLED', { BREAK_GLASS_ENABLED: 'yes' }],
    ['BREAK_GLASS_TTL_MINUTES', { BREAK_GLASS_TTL_MINUTES: '0' }],
    ['GLOBAL_API_KEY_TENANT', { GLOBAL_API_KEY: 'g'.repeat(32) }],
    ['GLOBAL_API_KEY', { GLOBAL_API_KEY_TENANT: TENANT }],
    ['GLOBAL_API_KEY_TENANT', { GLOBAL_API_KEY: 'g'.repeat(32), GLOBAL_API_KEY_TENANT: 'none' }],
    ['GLOBAL_API_KEY', { GLOBAL_API_KEY: KEY, GLOBAL_API_KEY_TENANT: TENANT }],
    ['GLOBAL_API_KEY', { GLOBAL_API_KEY: 'g'.repeat(31), GLOBAL_API_KEY_TENANT: TENANT }],
    [
      'MASTER_KEY',
      { MASTER_KEY: SECRET.replaceAll(' ', '_'), APP_SECRET: SECRET.replaceAll(' ', '_') },
    ],
    ['GOOGLE_ISSUER', { GOOGLE_ISSUER: 'accounts.google.com' }],
    ['GOOGLE_ISSUER', { GOOGLE_ISSUER: 'http://accounts.google.com' }],
    ['GOOGLE_AUTH_URL', { GOOGLE_AUTH_URL: 'javascript:alert(1)' }],
    ['GOOGLE_TOKEN_URL', { GOOGLE_TOKEN_URL: 'http://169.254.169.254/token' }],
    ['GOOGLE_ASSET_URL', { GOOGLE_ASSET_URL: 'https://user:password@assets.example' }],
    ['GOOGLE_AUTH_URL', { GOOGLE_AUTH_URL: 'http://accounts.google.com/auth' }],
    ['WORKER', { WORKER: 'yes' }],
    ['REDIS_TIMEOUT_MS', { REDIS_TIMEOUT_MS: '0' }],
    ['DATABASE_TIMEOUT_MS', { DATABASE_TIMEOUT_MS: '0' }],
    ['SHUTDOWN_NOTICE_MS', { SHUTDOWN_NOTICE_MS: '10001' }],
    ['INVENTORY_MAX_BYTES', { INVENTORY_MAX_BYTES: '10GB' }],
    ['INVENTORY_MAX_BYTES', { INVENTORY_MAX_BYTES: '0' }],
    ['INVENTORIES_KEPT', { INVENTORIES_KEPT: '0' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ])('%s of %o', (name, environment) => {
    const faults = faultsOf(environment);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name}: .+`));
  });

  it.each(['APP_SECRET', 'DATABASE_URL', 'DATABASE_APP_URL'])(
    '%s missing in production',
    (name) => {
      const whole: Environment = {
        ...PRODUCTION,
        NODE_ENV: 'production',
        APP_SECRET: SECRET,
        DATABASE_URL: URL_OWNER,
        DATABASE_APP_URL: URL_APP,
      };
      expect(faultsOf(whole)).toEqual([]);
      const faults = faultsOf({ ...whole, [name]: undefined });
      expect(faults.join('\n')).toContain(`${name}: is required in production`);
    },
  );
});

it('accepts services of Google at http:// on this machine outside production only', () => {
  const services = { GOOGLE_IAM_CREDENTIALS_URL: 'http://127.0.0.1:9000' };
  expect(readConfig(services).googleCloud.endpoints.iamCredentialsUrl).toBe(
    'http://127.0.0.1:9000',
  );
  expect(faultsOf({ ...services, NODE_ENV: 'production' }).join('\n')).toContain(
    'GOOGLE_IAM_CREDENTIALS_URL: must be an https:// URL',
  );
});

describe('the faults of a configuration', () => {
  const wrong: Environment = {
    NODE_ENV: 'production',
    PORT: 'http',
    TRUST_PROXY: 'true',
    APP_SECRET: 'my-short-secret',
    BOOTSTRAP_PASSWORD: 'hunter2',
    CORS_ORIGINS: '*',
    WORKER: 'yes',
    DATABASE_URL: 'mysql://root:hunter3@db',
  };

  it('are reported together', () => {
    const told = faultsOf(wrong).join('\n');
    for (const name of [...Object.keys(wrong).slice(1), 'DATABASE_APP_URL', 'BOOTSTRAP_EMAIL']) {
      expect(told).toContain(`${name}: `);
    }
  });

  it('never repeat a secret', () => {
    const told = faultsOf(wrong).join('\n');
    for (const secret of ['my-short-secret', 'hunter2', 'hunter3']) {
      expect(told).not.toContain(secret);
    }
  });
});

describe('docs/configuration.md', () => {
  it('describes every variable of the configuration', () => {
    const file = new URL('../docs/configuration.md', import.meta.url);
    const text = readFileSync(file, 'utf8');
    expect(
      VARIABLES.filter((name) => !text.includes(`\`${name}\``)),
      'Add a row for each of these variables to docs/configuration.md',
    ).toEqual([]);
  });
});
