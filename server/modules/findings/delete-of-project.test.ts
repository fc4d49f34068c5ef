import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { deleteFindingsOf } from './delete-of-project.ts';
import { SEVERITIES } from './finding-filter.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** For each severity and status, as many as one statement deletes, one more, and two statements. */
const MANY = SEVERITIES.flatMap((severity, index) =>
  (['open', 'resolved'] as const).flatMap((status) =>
    Array.from({ length: [2, 3, 4][index % 3] ?? 0 }, () => ({ severity, status })),
  ),
);

it('all findings of a project are deleted in parts, and no others', async () => {
  const analyst = await Analyst.at(server);
  const [gone, kept] = [await analyst.project(), await analyst.project()];
  const idOf = async (name: string) => (await analyst.ask(200, `/projects/${name}`)).id;
  await plantFindings(server.database, analyst.tenantId, await idOf(gone), MANY);
  const others = await plantFindings(server.database, analyst.tenantId, await idOf(kept), MANY);
  const goneId = await idOf(gone);
  await server.services.tenants.write(analyst.tenantId, (db) => deleteFindingsOf(db, goneId, 2));
  const left = await analyst.findings();
  expect(left.map(({ id }) => id).toSorted()).toEqual(others.toSorted());
});

it('deleting a project deletes the mutes of its single findings, and no others', async () => {
  const analyst = await Analyst.at(server);
  const [gone, kept] = [await analyst.project(), await analyst.project()];
  for (const name of [gone, kept]) {
    const { id } = await analyst.ask(200, `/projects/${name}`);
    await plantFindings(server.database, analyst.tenantId, id, [{ title: name }]);
  }
  const mute = (path: string, body: object) =>
    analyst.ask(path === '/mutes' ? 201 : 200, path, { method: 'POST', body });
  const findingIds = (await analyst.findings()).map(({ id }) => id);
  await mute('/mutes/bulk', { findingIds, reason: 'Known' });
  await mute('/mutes', { selector: { ruleId: 'bucket-public' }, reason: 'Known' });
  await analyst.ask(204, `/projects/${gone}`, { method: 'DELETE' });
  const { items } = await analyst.ask(200, '/mutes');
  const of = (one: { finding: { project: string } | null }) => one.finding?.project ?? 'a rule';
  expect(items.map(of).toSorted()).toEqual(['a rule', kept].toSorted());
  const rows = await rowsOf(server.database, analyst.tenantId, 'SELECT 1 FROM mutes');
  expect(rows).toHaveLength(2);
});
