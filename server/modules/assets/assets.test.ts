import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import {
  bareCluster,
  bucket,
  bucketPolicy,
  cluster,
  type ExportRecord,
} from '../../../tests/kit/export-records.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  analyst = await Analyst.at(server);
});

afterAll(() => server.close());

const BUCKET = 'storage.googleapis.com/Bucket';
const CLUSTER = 'container.googleapis.com/Cluster';
const nameOfBucket = (name: string) => `//storage.googleapis.com/${name}`;
const bad = (name: string) => cluster(name, { legacyAbac: true });

interface Listed {
  name: string;
  type: string;
  location: string | null;
  openFindings: number;
  worstSeverity: string | null;
}

async function list(project: string, query = ''): Promise<Listed[]> {
  return (await analyst.ask(200, `/projects/${project}/assets?limit=100${query}`)).items;
}

const namesOf = (items: readonly Listed[]) => items.map(({ name }) => name.split('/').at(-1));

function lookup(project: string, name: string, more = '') {
  const query = `name=${encodeURIComponent(name)}${more}`;
  return analyst.call(`/projects/${project}/assets/lookup?${query}`);
}

const at = (record: ExportRecord, location: string): ExportRecord => ({
  ...record,
  resource: { ...(record.resource as object), location },
});

describe('the list of assets', () => {
  it('the list of assets contains each asset of the current inventory once, ordered by name, for every page size', async () => {
    const names = ['b', 'Z', 'a', 'ü', '_', 'b-1', 'B'];
    const records = names.flatMap((name) => [bucket(name), bucketPolicy(name)]);
    const project = await analyst.project(records);
    const whole = namesOf(await list(project));
    expect(whole).toEqual(['B', 'Z', '_', 'a', 'b', 'b-1', 'ü']);
    for (const size of [1, 2, 7]) {
      const found: (string | undefined)[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const page = await analyst.ask(200, `/projects/${project}/assets?limit=${size}${after}`);
        found.push(...namesOf(page.items));
        cursor = page.nextCursor;
      }
      expect(found).toEqual(whole);
    }
  });

  it('the list of assets is filtered by type, by location in any letter case, and by literal text in the name', async () => {
    const project = await analyst.project([
      at(bucket('logs_1'), 'EU'),
      at(bucket('logsx1'), 'us-central1'),
      at(cluster('main'), 'us-central1'),
    ]);
    expect(namesOf(await list(project, `&type=${CLUSTER}`))).toEqual(['main']);
    expect(namesOf(await list(project, `&type=${CLUSTER}&type=${BUCKET}`))).toHaveLength(3);
    expect(namesOf(await list(project, '&location=eu'))).toEqual(['logs_1']);
    expect(namesOf(await list(project, '&location=US-Central1&location=EU'))).toHaveLength(3);
    expect(namesOf(await list(project, '&q=LOGS_'))).toEqual(['logs_1']);
    expect(namesOf(await list(project, `&q=logs&type=${BUCKET}&location=us-central1`))).toEqual([
      'logsx1',
    ]);
    const { inventory } = await analyst.ask(200, `/projects/${project}`);
    const { items } = await analyst.ask(200, `/projects/${project}/inventories`);
    expect(items).toMatchObject([
      {
        id: inventory.id,
        locations: [
          { location: 'us-central1', count: 2 },
          { location: 'eu', count: 1 },
        ],
      },
    ]);
  });

  it('the list of assets counts open findings, and filters by having any or none', async () => {
    const project = await analyst.project([bad('a'), cluster('b'), bad('c'), bucket('d')]);
    await analyst.scan(project, 'gke');
    expect(await list(project)).toMatchObject([
      { name: expect.stringMatching(/a$/), openFindings: 1, worstSeverity: 'high' },
      { name: expect.stringMatching(/b$/), openFindings: 0, worstSeverity: null },
      { name: expect.stringMatching(/c$/), openFindings: 1, worstSeverity: 'high' },
      { name: nameOfBucket('d'), openFindings: 0 },
    ]);
    expect(namesOf(await list(project, '&hasFindings=true'))).toEqual(['a', 'c']);
    expect(namesOf(await list(project, '&hasFindings=false'))).toEqual(['b', 'd']);
    expect(await list(project, `&hasFindings=true&type=${BUCKET}`)).toEqual([]);
    const first = await analyst.ask(200, `/projects/${project}/assets?hasFindings=true&limit=1`);
    const rest = await list(project, `&hasFindings=true&cursor=${first.nextCursor}`);
    expect(namesOf([...first.items, ...rest])).toEqual(['a', 'c']);
    await analyst.upload(project, [cluster('a'), bad('c')]);
    await analyst.scan(project, 'gke');
    expect(namesOf(await list(project, '&hasFindings=true'))).toEqual(['c']);
  });

  it('the list of assets is empty without an inventory, and shows the new inventory after each upload', async () => {
    const project = await analyst.project();
    expect(await list(project)).toEqual([]);
    for (const name of ['one', 'two', 'three']) {
      await analyst.upload(project, [bucket(name)]);
      expect(namesOf(await list(project))).toEqual([name]);
    }
    const stored = await rowsOf(
      server.database,
      analyst.tenantId,
      `SELECT a.name FROM inventory_assets a JOIN inventories i ON i.id = a.inventory_id
       JOIN projects p ON p.id = i.project_id WHERE p.name = '${project}'`,
    );
    expect(stored).toEqual([{ name: nameOfBucket('three') }]);
  });

  it('the list of assets refuses cursors that the server did not issue', async () => {
    const project = await analyst.project([bucket('a')]);
    for (const key of ['a', 'a\0b\0c', '']) {
      const cursor = Buffer.from(key).toString('base64url') || '-';
      const reply = await analyst.call(`/projects/${project}/assets?cursor=${cursor}`);
      expect(reply.status, key).toBe(400);
    }
  });
});

describe('an asset', () => {
  it('an asset is returned as it is stored, with the content of all its records', async () => {
    const policy = bucketPolicy('files', ['allUsers']);
    const project = await analyst.project([at(bucket('files'), 'EU'), policy, bucket('other')]);
    const reply = await lookup(project, nameOfBucket('files'));
    expect(reply.json).toMatchObject({
      name: nameOfBucket('files'),
      type: BUCKET,
      location: 'eu',
      asset: { ...at(bucket('files'), 'EU'), iam_policy: policy.iam_policy },
      findings: [],
      scan: null,
      verdicts: null,
    });
    const { inventory } = await analyst.ask(200, `/projects/${project}`);
    expect(reply.json.inventory).toEqual({ id: inventory.id, createdAt: inventory.createdAt });
  });

  it('an asset has its findings, open ones first, and the verdicts of the last scan', async () => {
    const project = await analyst.project([bad('a'), bareCluster('b'), bad('other')]);
    const { id } = await analyst.scan(project, 'gke');
    const { json } = await lookup(project, bad('a').name);
    expect(json.findings).toMatchObject([{ ruleId: 'gke-legacy-abac', status: 'open' }]);
    expect(json.scan).toMatchObject({ id });
    const verdicts = new Map(
      json.verdicts.map((one: { ruleId: string }) => [one.ruleId, one] as const),
    );
    expect(verdicts.get('gke-legacy-abac')).toMatchObject({ verdict: 'fail', severity: 'high' });
    expect(verdicts.get('gke-private-nodes')).toMatchObject({ verdict: 'pass', missing: null });
    const bare = (await lookup(project, bareCluster('b').name)).json;
    const [unknown] = bare.verdicts;
    expect(unknown).toMatchObject({ verdict: 'unknown', missing: 'RESOURCE' });
  });

  it('the verdicts of all assets add up to the totals of the scan', async () => {
    const project = await analyst.project([bad('a'), bareCluster('b'), bucket('c')]);
    const { totals } = await analyst.scan(project, 'gke');
    const counts: Record<string, number> = {};
    for (const { name } of await list(project)) {
      const { verdicts } = (await lookup(project, name)).json;
      for (const { verdict } of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1;
    }
    expect(counts.pass).toBe(totals.pass);
    expect(counts.fail).toBe(totals.fail);
    expect(counts.unknown).toBe(totals.unknown);
  });

  it('an asset keeps the verdicts of the last scan when a new inventory is uploaded', async () => {
    const project = await analyst.project([bad('a'), cluster('b')]);
    const { id } = await analyst.scan(project, 'gke');
    await analyst.upload(project, [cluster('new'), cluster('a'), cluster('b')]);
    const { json } = await lookup(project, bad('a').name);
    expect(json.scan.id).toBe(id);
    expect(json.verdicts).toContainEqual(
      expect.objectContaining({ ruleId: 'gke-legacy-abac', verdict: 'fail' }),
    );
    const added = (await lookup(project, cluster('new').name)).json;
    expect(added).toMatchObject({ scan: { id }, verdicts: null });
    await analyst.scan(project, 'gke');
    const after = (await lookup(project, bad('a').name)).json;
    expect(after.verdicts).toContainEqual(
      expect.objectContaining({ ruleId: 'gke-legacy-abac', verdict: 'pass' }),
    );
    const kept = await rowsOf(
      server.database,
      analyst.tenantId,
      `SELECT count(DISTINCT v.scan_id)::int AS scans FROM scan_verdicts v
       JOIN projects p ON p.id = v.project_id WHERE p.name = '${project}'`,
    );
    expect(kept).toEqual([{ scans: 1 }]);
  });

  it('an asset is returned without text that contains a credential', async () => {
    const key = '-----BEGIN PRIVATE KEY-----\nMIIE';
    const record = {
      ...bucket('k'),
      resource: { data: { labels: { a: 'b' }, notes: ['x', key] } },
    };
    const project = await analyst.project([record]);
    const { json, text } = await lookup(project, record.name);
    expect(json.asset.resource.data).toEqual({ labels: { a: 'b' }, notes: ['x', '[redacted]'] });
    expect(text).not.toContain('PRIVATE KEY');
  });

  it('an asset larger than 1 MiB is returned without its data', async () => {
    const record = { ...bucket('k'), resource: { data: { text: 'x'.repeat(1024 * 1024) } } };
    const project = await analyst.project([record, bucket('small')]);
    expect((await lookup(project, record.name)).json).toMatchObject({ type: BUCKET, asset: null });
    expect((await lookup(project, nameOfBucket('small'))).json.asset).toMatchObject({
      name: nameOfBucket('small'),
    });
  });

  it('an asset with more than 10,000 values is returned without its data', async () => {
    const of = (name: string, values: number) => ({
      ...bucket(name),
      resource: { data: { numbers: Array(values).fill(0) } },
    });
    const project = await analyst.project([of('many', 10_000), of('fewer', 9_900)]);
    const many = await lookup(project, nameOfBucket('many'));
    expect(many.json).toMatchObject({ type: BUCKET, asset: null });
    const fewer = await lookup(project, nameOfBucket('fewer'));
    expect(fewer.json.asset.resource.data.numbers).toHaveLength(9_900);
  });

  it('an asset of an earlier release with numbers that are out of range shows them as null', async () => {
    const deep = '['.repeat(50) + Array(9_800).fill('1e999').join() + ']'.repeat(50);
    const record = { ...bucket('k'), resource: { data: { days: 4242, flood: 'deep' } } };
    const project = await analyst.project([record]);
    const { inventory } = await analyst.ask(200, `/projects/${project}`);
    const [chunk] = await rowsOf(
      server.database,
      analyst.tenantId,
      `SELECT data FROM inventory_chunks WHERE inventory_id = '${inventory.id}'`,
    );
    const stored = gunzipSync(chunk?.['data'] as Buffer).toString();
    const infinite = stored.replace('4242', '-1e999').replace('"deep"', deep);
    await rowsOf(
      server.database,
      analyst.tenantId,
      `UPDATE inventory_chunks SET data = $1 WHERE inventory_id = '${inventory.id}'`,
      [gzipSync(infinite)],
    );
    const { status, json } = await lookup(project, record.name);
    expect(status).toBe(200);
    expect(json.asset.resource.data.days).toBe(null);
    expect(json.asset.resource.data.flood.flat(Infinity)).toEqual(Array(9_800).fill(null));
  });

  it('assets of different types may have the same name and are distinguished by the type', async () => {
    const name = '//x.googleapis.com/shared';
    const project = await analyst.project([
      { name, asset_type: 'x/B', resource: { data: { is: 'B' } } },
      { name, asset_type: 'x/A', resource: { data: { is: 'A' } } },
    ]);
    expect((await lookup(project, name)).json.asset.resource.data).toEqual({ is: 'A' });
    expect((await lookup(project, name, '&type=x/B')).json.asset.resource.data.is).toBe('B');
    expect((await lookup(project, name, '&type=x/C')).status).toBe(404);
  });

  it('an asset is not found in another project, in a project without an inventory, or in another tenant', async () => {
    const project = await analyst.project([bucket('mine')]);
    const other = await Analyst.at(server);
    expect((await lookup(project, nameOfBucket('theirs'))).status).toBe(404);
    expect((await lookup(await analyst.project(), nameOfBucket('mine'))).status).toBe(404);
    const path = `/projects/${project}/assets`;
    expect((await other.call(path)).status).toBe(404);
    const name = encodeURIComponent(nameOfBucket('mine'));
    expect((await other.call(`${path}/lookup?name=${name}`)).status).toBe(404);
  });

  it('deleting a project deletes its assets', async () => {
    const project = await analyst.project([bad('a')]);
    await analyst.scan(project, 'gke');
    const [row] = await rowsOf(
      server.database,
      analyst.tenantId,
      `SELECT id FROM projects WHERE name = '${project}'`,
    );
    const { inventory } = await analyst.ask(200, `/projects/${project}`);
    await analyst.ask(204, `/projects/${project}`, { method: 'DELETE' });
    const left = await rowsOf(
      server.database,
      analyst.tenantId,
      `SELECT 'index' AS what FROM inventory_assets WHERE inventory_id = '${inventory.id}'
       UNION ALL SELECT 'verdicts' FROM scan_verdicts WHERE project_id = '${row?.id}'`,
    );
    expect(left).toEqual([]);
  });
});
