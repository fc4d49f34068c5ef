import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig, VARIABLES } from './config.ts';

type Environment = Record<string, string | undefined>;

const SECRET = 'a secret of the application of 32 bytes or more';
const URL_OWNER = 'postgresql://owner:secret@db/cspm';
const HOSTS = 'postgres://owner:secret@db1:5432,db2/cspm?target_session_attrs=read-write';
const URL_APP = 'postgresql://app:secret@db/cspm';
const TENANT = '0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27';
const KEY = `cspm_${'a'.repeat(12)}_${'b'.repeat(43)}`;

describe('an empty environment', () => {
  it('an empty environment configures a development server on an embedded database', () => {
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

  it('line breaks at the end of values are ignored, as in secrets that were created from files', () => {
    const given: Environment = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      DATA_DIR: '/data',
      DATABASE_URL: URL_OWNER,
      DATABASE_APP_URL: URL_APP,
      APP_SECRET: SECRET,
      WEB_URL: 'https://posture.example.com',
      MAIL_URL: 'smtp://mail.example.com',
      BOOTSTRAP_EMAIL: 'admin@example.com',
      BOOTSTRAP_PASSWORD: 'correct horse battery staple',
      GOOGLE_CLIENT_ID: 'id.apps.googleusercontent.com',
      GOOGLE_APPLICATION_CREDENTIALS: '/run/key.json',
      REDIS_URL: 'redis://redis',
      REDIS_MODE: 'sentinel',
      REDIS_SENTINEL_MASTER: 'main',
      REDIS_SENTINEL_PASSWORD: 'secret',
      MASTER_KEY: 'm'.repeat(32),
      LOG_LEVEL: 'warn',
    };
    const ended = (by: string) =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, `${value}${by}`]));
    expect(readConfig(ended('\n'))).toEqual(readConfig(given));
    expect(readConfig(ended('\r\n'))).toEqual(readConfig(given));
  });

  it('variables with empty values configure the same as missing ones', () => {
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

  it('readConfig returns a frozen configuration', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });
});

/** The other variables that production requires. */
const PRODUCTION: Environment = {
  WEB_URL: 'https://cspm.example',
  MAIL_URL: 'smtp://mail.example',
};

describe('a variable sets its value of the configuration:', () => {
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
    [
      { ...base, DATABASE_REPLICA_URL: 'postgres://app@db2,db3/cspm' },
      { database: { replicaUrl: 'postgres://app@db2,db3/cspm' } },
    ],
    [{ DATABASE_URL: HOSTS }, { database: { ownerUrl: HOSTS, replicaUrl: null } }],
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
    [{ REDIS_URL: 'rediss://:pa,ss@cache/1' }, { redisUrl: 'rediss://:pa,ss@cache/1' }],
    [{}, { redisMode: 'single', redisSentinelMaster: null, redisSentinelPassword: null }],
    [
      { REDIS_MODE: 'cluster', REDIS_URL: 'rediss://app:p%2Cw@a,rediss://app:p%2Cw@[::1]:7000' },
      { redisMode: 'cluster', redisUrl: 'rediss://app:p%2Cw@a,rediss://app:p%2Cw@[::1]:7000' },
    ],
    [
      {
        REDIS_MODE: 'sentinel',
        REDIS_URL: 'redis://a:26379/2, redis://b/2',
        REDIS_SENTINEL_MASTER: 'limits',
        REDIS_SENTINEL_PASSWORD: 'of the sentinels',
      },
      {
        redisMode: 'sentinel',
        redisSentinelMaster: 'limits',
        redisSentinelPassword: 'of the sentinels',
      },
    ],
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
    [{ BREAK_GLASS_ENABLED: 'true' }, { breakGlass: null, breakGlassLacksKey: true }],
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
  ])('the environment %o sets its members of the configuration', (environment, expected) => {
    const complete = environment['NODE_ENV'] === 'production' ? PRODUCTION : {};
    expect(readConfig({ ...complete, ...environment })).toMatchObject(expected);
  });
});

describe('docs/configuration.md', () => {
  it('docs/configuration.md describes every variable of the configuration', () => {
    const file = new URL('../docs/configuration.md', import.meta.url);
    const text = readFileSync(file, 'utf8');
    expect(
      VARIABLES.filter((name) => !text.includes(`\`${name}\``)),
      'Add a row for each of these variables to docs/configuration.md',
    ).toEqual([]);
  });
});
