import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

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
    ['DATABASE_REPLICA_URL', { DATABASE_REPLICA_URL: URL_APP }],
    [
      'DATABASE_REPLICA_URL',
      {
        DATABASE_URL: URL_OWNER,
        DATABASE_REPLICA_URL: URL_APP,
        DATABASE_CELLS: `{"eu-2": {"url": "${URL_OWNER}"}}`,
      },
    ],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://owner@db1,/cspm' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://owner:se/cret@db1/cspm' }],
    ['DATABASE_URL', { DATABASE_URL: `"${URL_OWNER}"`, DATABASE_APP_URL: URL_APP }],
    ['DATABASE_URL', { DATABASE_URL: `${URL_OWNER}?target_session_attrs=any` }],
    ['REDIS_URL', { REDIS_URL: 'redis://cache:6379/cspm' }],
    ['WEB_URL', { WEB_URL: 'https://x.example/console?a=b' }],
    ['WEB_URL', { WEB_URL: 'https://x.example/console#b' }],
    ['WEB_URL', { WEB_URL: 'https://x.example/?' }],
    ['WEB_URL', { WEB_URL: 'https://ada@x.example' }],
    ['WEB_URL', { WEB_URL: 'https://ada:secret@x.example' }],
    ['WEB_URL', { WEB_URL: 'x.example' }],
    ['MAIL_URL', { MAIL_URL: 'smtp://' }],
    ['MAIL_URL', { MAIL_URL: 'smtp:foo' }],
    ['MAIL_URL', { MAIL_URL: 'smtp://mail.example?requiretls=true' }],
    ['MAIL_URL', { MAIL_URL: 'smtp://mail.example?pool=true&require_tls=1' }],
    ['MAIL_URL', { MAIL_URL: 'smtps://ada:secret@' }],
    ['METRICS_PORT', { METRICS_PORT: '3000' }],
    ['RATE_LIMIT', { RATE_LIMIT: '0' }],
    ['RATE_LIMIT', { RATE_LIMIT: 'none' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'all' }],
    ['TRUST_PROXY', { TRUST_PROXY: '-1' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'loopback' }],
    ['TRUST_PROXY', { TRUST_PROXY: '300.1.1.1' }],
    ['TRUST_PROXY', { TRUST_PROXY: '::::' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/0' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/255.0.255.0' }],
    ['TRUST_PROXY', { TRUST_PROXY: '10.0.0.1, fe80::/129' }],
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
    ['REDIS_URL', { REDIS_URL: 'redis://a:1,redis://b:2' }],
    ['REDIS_URL', { REDIS_URL: 'redis://:100%@cache' }],
    ['REDIS_URL', { REDIS_MODE: 'cluster' }],
    ['REDIS_URL', { REDIS_MODE: 'cluster', REDIS_URL: 'redis://a,b' }],
    ['REDIS_URL', { REDIS_MODE: 'cluster', REDIS_URL: 'redis://a,rediss://b' }],
    ['REDIS_URL', { REDIS_MODE: 'cluster', REDIS_URL: 'redis://:one@a,redis://:two@b' }],
    ['REDIS_URL', { REDIS_MODE: 'cluster', REDIS_URL: 'redis://a/1,redis://b/1' }],
    ['REDIS_MODE', { REDIS_MODE: 'replica', REDIS_URL: 'redis://a' }],
    ['REDIS_SENTINEL_MASTER', { REDIS_MODE: 'sentinel', REDIS_URL: 'redis://a' }],
    ['REDIS_SENTINEL_MASTER', { REDIS_URL: 'redis://a', REDIS_SENTINEL_MASTER: 'limits' }],
    ['REDIS_SENTINEL_PASSWORD', { REDIS_URL: 'redis://a', REDIS_SENTINEL_PASSWORD: 'secret' }],
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
  ])('an invalid %s is refused by its name: %o', (name, environment) => {
    const faults = faultsOf(environment);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name}: .+`));
  });

  it.each(['APP_SECRET', 'DATABASE_URL', 'DATABASE_APP_URL'])(
    'a missing %s is refused in production',
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

it.each([
  ['{', 'it is not valid JSON'],
  ['[]', 'it is not an object'],
  ['{"EU": {"url": "postgres://db/eu"}}', 'EU: must be lower-case letters'],
  ['{"eu": {"url": "mysql://db/eu"}}', 'eu.url: must be a postgres:// URL'],
  ['{"eu": {}}', 'eu.url: is required'],
  ['{"eu": {"url": 5432}}', 'eu.url: must be a string'],
])('the fault of DATABASE_CELLS says what is wrong: %s', (DATABASE_CELLS, fault) => {
  expect(faultsOf({ DATABASE_URL: URL_OWNER, DATABASE_CELLS })).toEqual([
    expect.stringContaining(`}; ${fault}`),
  ]);
});

it.each<[string, string, string]>([
  ['NODE_ENV', 'prod', 'must be production, development or test'],
  ['REGISTRATION', 'maybe', 'must be open or closed'],
  ['REDIS_MODE', 'cloud', 'must be single, cluster or sentinel'],
  ['WORKER', 'on', 'must be inline, off or only'],
  ['BREAK_GLASS_ENABLED', 'yes', 'must be true or false'],
  ['LOG_LEVEL', 'loud', 'must be trace, debug, info, warn, error, fatal or silent'],
  ['BOOTSTRAP_EMAIL', 'ada', 'must be an e-mail address'],
  ['GOOGLE_CLIENT_ID', 'x'.repeat(256), 'must have at most 255 characters'],
])('%s with a value that it cannot have is refused with what it can have', (name, value, words) => {
  expect(faultsOf({ [name]: value })).toContain(`${name}: ${words}`);
});

it('addresses of Google services may be http:// on this machine outside production only', () => {
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

  it('all faults of a configuration are reported together', () => {
    const told = faultsOf(wrong).join('\n');
    for (const name of [...Object.keys(wrong).slice(1), 'DATABASE_APP_URL', 'BOOTSTRAP_EMAIL']) {
      expect(told).toContain(`${name}: `);
    }
  });

  it.each([
    'redis://:hunter2@a:1,redis://:hunter2@b:1/1',
    'http://:hunter2@a',
    'redis://:hunter2%@a,redis://:hunter2%@b',
    'redis://:hunter2@',
  ])('the faults of a configuration never contain a password of REDIS_URL', (REDIS_URL) => {
    const faults = faultsOf({ REDIS_MODE: 'cluster', REDIS_URL });
    expect(faults).toHaveLength(1);
    expect(faults[0]).not.toContain('hunter2');
  });

  it('the faults of a configuration never contain a secret', () => {
    const told = faultsOf(wrong).join('\n');
    for (const secret of ['my-short-secret', 'hunter2', 'hunter3']) {
      expect(told).not.toContain(secret);
    }
  });
});
