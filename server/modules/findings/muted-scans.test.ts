import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket, cluster } from '../../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
});

afterAll(() => server.close());

/** Adds these labels to the resource, in the given member of its data. */
function labelled(record: ReturnType<typeof bucket>, member: string, labels: object) {
  const { data, ...resource } = record['resource'] as { data: object };
  return { ...record, resource: { ...resource, data: { ...data, [member]: labels } } };
}

it('a mute by label applies to findings of later scans as long as the asset has the label', async () => {
  const analyst = await Analyst.at(server);
  const selector = { label: 'env=test' };
  const body = { selector, reason: 'A test system' };
  await analyst.ask(201, '/mutes', { method: 'POST', body });
  const bad = cluster('a', { legacyAbac: true });
  const project = await analyst.project([
    labelled(bucket('b', { uniform: false }), 'labels', { env: 'test' }),
    labelled(bad, 'resourceLabels', { env: 'test', team: 'shop' }),
    labelled(bucket('c', { uniform: false }), 'labels', { env: 'prod' }),
  ]);
  const scan = await analyst.scan(project);
  const muted = await analyst.findings('muted=true');
  expect(new Set(muted.map(({ asset }) => asset.name.at(-1)))).toEqual(new Set(['a', 'b']));
  const unmuted = await analyst.findings('muted=false');
  expect(new Set(unmuted.map(({ asset }) => asset.name.at(-1)))).toEqual(new Set(['c']));
  expect(muted.length + unmuted.length).toBe(scan.delta.new);
  expect(new Set(muted.map(({ status, delta }) => `${status} ${delta}`))).toEqual(
    new Set(['open new']),
  );
  await analyst.upload(project, [
    labelled(bucket('b', { uniform: false }), 'labels', { env: 'prod' }),
    labelled(bad, 'resourceLabels', { env: 'test' }),
    labelled(bucket('c', { uniform: false }), 'labels', { env: 'test' }),
  ]);
  await analyst.scan(project);
  const now = await analyst.findings('muted=true');
  expect(new Set(now.map(({ asset }) => asset.name.at(-1)))).toEqual(new Set(['a', 'c']));
});
