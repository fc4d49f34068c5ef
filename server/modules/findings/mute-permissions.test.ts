import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

it('a role that may mute but not read findings learns nothing about them from mutes', async () => {
  const user = await server.people.user();
  const { tenant } = user;
  const analyst = new Analyst(server, user.key, tenant.id);
  const project = await new Belongings(server.services, server.database, tenant).project();
  const ids = await plantFindings(server.database, tenant.id, project.id, [{}, {}]);
  const [finding] = await analyst.findings();
  const muter = await server.people.user({ tenant, role: ['findings.mute'] });
  const ask = (path: string, body: object) =>
    server.call(path, { method: 'POST', headers: muter.key, body: { reason: 'Known', ...body } });
  expect(await ask('/mutes/bulk', { filter: { project: [project.name] } })).toMatchObject({
    status: 403,
    json: { code: 'FORBIDDEN', permission: 'findings.read' },
  });
  expect(await analyst.findings('muted=true')).toEqual([]);
  const made = await ask('/mutes', { fingerprint: finding?.fingerprint });
  expect(made).toMatchObject({ status: 201, json: { finding: null } });
  const both = await ask('/mutes/bulk', { findingIds: ids });
  expect(both.json).toMatchObject({ matched: 2, muted: 1 });
});
