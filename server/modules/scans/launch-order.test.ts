import { afterAll, beforeAll, expect, it } from 'vitest';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

it('launches queue the projects of a scan in the order of their ids, whatever order the request has', async () => {
  const user = await server.people.user();
  const belongings = new Belongings(server.services, server.database, user.tenant);
  const projects = [
    await belongings.project(),
    await belongings.project(),
    await belongings.project(),
  ];
  for (const some of [projects, projects.toReversed()]) {
    const body = { projects: some.map(({ name }) => name), profile: 'full' };
    const launched = await server.call('/scans', { method: 'POST', headers: user.key, body });
    expect(launched.json).toMatchObject({ projects: some.map(({ name }) => ({ name })) });
    const { rows } = await server.database.owner.query<{ id: string }>(
      `SELECT payload->>'projectId' AS id FROM graphile_worker._private_jobs j
       WHERE payload->>'scanId' = $1 ORDER BY j.id`,
      [launched.json.id],
    );
    expect(rows.map(({ id }) => id)).toEqual(projects.map(({ id }) => id).toSorted());
  }
});
