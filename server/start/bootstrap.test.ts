import { afterEach, beforeEach, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { readConfig } from '../config.ts';
import { newApiKey } from '../modules/auth/credentials/api-key.ts';
import { bootstrap } from './bootstrap.ts';

let database: TestDatabase;
let warnings: string[];

beforeEach(async () => {
  database = await cloneDatabase();
  warnings = [];
});

afterEach(() => database.drop());

/** Starts on the database in production, with these variables. */
function bootstrapped(variables: Record<string, string>) {
  const config = readConfig({
    NODE_ENV: 'production',
    APP_SECRET: 'a secret of thirty-two bytes or more',
    DATABASE_URL: database.ownerUrl,
    DATABASE_APP_URL: database.appUrl,
    WEB_URL: 'https://cspm.example',
    MAIL_URL: 'smtp://mail.example',
    BOOTSTRAP_EMAIL: 'first@example.com',
    ...variables,
  });
  return bootstrap(database.ownerUrl, config, new Date(), (line) => warnings.push(line));
}

async function users(): Promise<number> {
  return (await database.owner.query('SELECT 1 FROM identity.users')).rows.length;
}

it('the first start in production with BOOTSTRAP_EMAIL alone is refused and leaves the database empty', async () => {
  await expect(bootstrapped({})).rejects.toThrow(
    /^BOOTSTRAP_EMAIL: .* requires BOOTSTRAP_PASSWORD or BOOTSTRAP_API_KEY/,
  );
  expect(await users()).toBe(0);
});

it.each([
  ['BOOTSTRAP_PASSWORD', () => 'a password of the operator'],
  ['BOOTSTRAP_API_KEY', () => newApiKey().key],
])('the first start in production creates the first admin with %s', async (name, value) => {
  expect(await bootstrapped({ [name]: value() })).toMatchObject({ email: 'first@example.com' });
  expect(await users()).toBe(1);
});

it('a later start in production with BOOTSTRAP_EMAIL alone is not refused', async () => {
  await bootstrapped({ BOOTSTRAP_PASSWORD: 'a password of the operator' });
  expect(await bootstrapped({})).toBeNull();
});

it('a start in production without users and without BOOTSTRAP_EMAIL warns that nobody can sign in', async () => {
  expect(await bootstrapped({ BOOTSTRAP_EMAIL: '' })).toBeNull();
  expect(warnings).toEqual([
    expect.stringMatching(/^BOOTSTRAP_EMAIL: .* nobody can sign in; set /),
  ]);
});

it.each([
  ['registration is open', { REGISTRATION: 'open' }, false],
  ['there are users', {}, true],
])(
  'a start in production without BOOTSTRAP_EMAIL does not warn if %s',
  async (_, variables, hasUsers) => {
    if (hasUsers) await bootstrapped({ BOOTSTRAP_PASSWORD: 'a password of the operator' });
    expect(await bootstrapped({ BOOTSTRAP_EMAIL: '', ...variables })).toBeNull();
    expect(warnings).toEqual([]);
  },
);
