import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../../tests/kit/test-server.ts';
import { KeyLookup } from './key-lookup.ts';

let server: TestServer;
let pool: pg.Pool;
let users: TestUser[];
let statements: string[];
let lookup: KeyLookup;

beforeAll(async () => {
  server = await startTestServer();
  users = await Promise.all(Array.from({ length: 60 }, () => server.people.user()));
  statements = [];
  pool = new pg.Pool({ connectionString: server.database.appUrl, max: 4 });
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  pool.query = ((config: pg.QueryConfig) => {
    statements.push(config.name ?? '');
    return query(config);
  }) as typeof pool.query;
  lookup = new KeyLookup(pool, server.clock);
});

afterAll(async () => {
  await pool.end();
  await server.close();
});

const keyOf = (user: TestUser | undefined) => user?.key['x-api-key'] ?? '';
const wrong = (key: string) => `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;

describe('the lookup of API keys', () => {
  it('the lookup of API keys returns the row of its own key to each concurrent request', async () => {
    const keys = users.flatMap((user) => [keyOf(user), wrong(keyOf(user))]);
    const rows = await Promise.all(keys.map((key) => lookup.find(key)));
    expect(rows.map((row) => row?.user_id ?? null)).toEqual(users.flatMap(({ id }) => [id, null]));
  });

  it('the lookup of API keys sends one statement for all requests of one turn of the event loop', async () => {
    statements.length = 0;
    const [one, two] = users;
    await Promise.all([one, one, two, two].map((user) => lookup.find(keyOf(user))));
    expect(statements).toEqual(['authenticate-keys']);
  });

  it('the lookup of API keys sends a new statement for a key that is already being looked up, so a revoked key is refused at once', async () => {
    const user = await server.people.user();
    expect(await lookup.find(keyOf(user))).not.toBeNull();
    const before = lookup.find(keyOf(user));
    await server.database.owner.query(
      'UPDATE identity.api_keys SET revoked_at = now() WHERE id = $1',
      [user.keyId],
    );
    await before;
    expect(await lookup.find(keyOf(user))).toBeNull();
  });

  it('the lookup of API keys sends no statement for text that is not in the form of a key', async () => {
    statements.length = 0;
    expect(await lookup.find('cspm_short')).toBeNull();
    expect(statements).toEqual([]);
  });

  it('the lookup of API keys fails only the requests of a statement that failed', async () => {
    const query = pool.query;
    pool.query = (() => Promise.reject(new Error('no connection'))) as typeof pool.query;
    const failing = await Promise.allSettled(users.map((user) => lookup.find(keyOf(user))));
    pool.query = query;
    expect(new Set(failing.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect((await lookup.find(keyOf(users[0])))?.user_id).toBe(users[0]?.id);
  });
});
