import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;
let project: string;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
});

beforeEach(async () => {
  analyst = await Analyst.at(server);
  project = await analyst.project();
});

afterAll(() => server.close());

/** An asset of a type whose policy is not always exported, so that rules give no verdict for it without a policy. */
function endpoint(name: string, policy: object = {}) {
  return {
    name: `//aiplatform.googleapis.com/projects/p/locations/l/endpoints/${name}`,
    asset_type: 'aiplatform.googleapis.com/Endpoint',
    ancestors: ['projects/1'],
    resource: { data: { name } },
    ...policy,
  };
}

const GRANTED = {
  iam_policy: {
    bindings: [
      {
        role: 'roles/aiplatform.user',
        members: ['user:eve@gmail.com', 'deleted:user:ada@x.example'],
      },
    ],
  },
};

/** The status of each finding, by rule and asset. */
async function statuses(): Promise<Record<string, string>> {
  const findings = await analyst.findings();
  return Object.fromEntries(
    findings.map(({ ruleId, asset, status, resolvedReason }) => [
      `${ruleId} ${asset.name.at(-1)}`,
      resolvedReason ?? status,
    ]),
  );
}

const OPEN = { 'iam-external-members a': 'open', 'iam-deleted-members a': 'open' };
const withoutIndex = () =>
  rowsOf(server.database, analyst.tenantId, 'UPDATE inventories SET indexed_at = NULL');

it('findings on policies stay open while uploads lack the policy of an asset of any type', async () => {
  await analyst.upload(project, [endpoint('a', GRANTED), endpoint('b')]);
  await analyst.scan(project, 'iam');
  expect(await statuses()).toEqual(OPEN);
  await analyst.upload(project, [endpoint('a'), endpoint('b')]);
  const before = await analyst.scan(project, 'iam');
  expect(before.delta).toMatchObject({ resolved: 0, unchanged: 0 });
  expect(await statuses()).toEqual(OPEN);
  // Nothing has changed, so the results are repeated.
  const repeated = await analyst.scan(project, 'iam');
  expect(repeated).toMatchObject({ totals: before.totals, delta: before.delta });
  expect(await statuses()).toEqual(OPEN);
  await analyst.upload(project, [endpoint('a', GRANTED), endpoint('b')]);
  expect((await analyst.scan(project, 'iam')).delta).toMatchObject({ unchanged: 2, resolved: 0 });
});

it('findings on policies stay open beside others whose results are repeated', async () => {
  await analyst.upload(project, [endpoint('a', GRANTED), endpoint('b', GRANTED)]);
  await analyst.scan(project, 'iam');
  await analyst.upload(project, [endpoint('a'), endpoint('b', GRANTED)]);
  for (let round = 0; round < 3; round += 1) {
    const { delta } = await analyst.scan(project, 'iam');
    expect(delta).toMatchObject({ unchanged: 2, resolved: 0 });
    expect(Object.values(await statuses())).toEqual(['open', 'open', 'open', 'open']);
  }
});

it('findings on policies stay open if the inventory has no index', async () => {
  await analyst.upload(project, [endpoint('a', GRANTED)]);
  await analyst.scan(project, 'iam');
  await analyst.upload(project, [endpoint('a')]);
  await withoutIndex();
  await analyst.scan(project, 'iam');
  expect(await statuses()).toEqual(OPEN);
  await analyst.upload(project, [endpoint('a', { iam_policy: {} })]);
  await withoutIndex();
  await analyst.scan(project, 'iam');
  expect(Object.values(await statuses())).toEqual(['fixed', 'fixed']);
});

it('findings on policies are resolved when the policy has no bindings, or the asset is gone', async () => {
  await analyst.upload(project, [endpoint('a', GRANTED), endpoint('b', GRANTED), endpoint('c')]);
  await analyst.scan(project, 'iam');
  await analyst.upload(project, [endpoint('a', { iam_policy: {} }), endpoint('c')]);
  expect((await analyst.scan(project, 'iam')).delta).toMatchObject({ resolved: 4 });
  expect(await statuses()).toEqual({
    'iam-external-members a': 'fixed',
    'iam-deleted-members a': 'fixed',
    'iam-external-members b': 'asset_gone',
    'iam-deleted-members b': 'asset_gone',
  });
});
