import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestCells, testCells } from '../../../tests/kit/cells.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

/** More than the connections of a pool, and fewer than may wait for one. */
const AT_ONCE = 40;

/** The statuses of as many requests at the same time. */
async function statusesOf(server: TestServer, user: TestUser, path: string): Promise<Set<number>> {
  const calls = Array.from({ length: AT_ONCE }, () => server.call(path, { headers: user.session }));
  return new Set((await Promise.all(calls)).map(({ status }) => status));
}

describe('GET /audit-events by many requests at the same time', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  it('GET /audit-events?actor by more requests than there are connections answers all of them', async () => {
    const admin = await server.people.user();
    expect(await statusesOf(server, admin, `/audit-events?actor=${admin.id}`)).toEqual(
      new Set([200]),
    );
  });
});

describe('GET /audit-events by many requests at the same time, with more than one database', () => {
  let databases: TestCells;
  let server: TestServer;

  beforeAll(async () => {
    databases = await testCells();
    server = await startTestServer({ database: databases.home, cells: databases.cells });
  });

  afterAll(async () => {
    await server.close();
    await databases.drop();
  });

  it('GET /audit-events of a tenant in the directory database answers more requests than there are connections', async () => {
    const admin = await server.people.user();
    expect(await statusesOf(server, admin, '/audit-events')).toEqual(new Set([200]));
  });
});
