import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contract } from '@cspm/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cluster, manyClusters, ndjson } from '../../../tests/kit/export-records.ts';
import {
  canLimitFileSize,
  limitFileSize,
  unlimitFileSize,
} from '../../../tests/kit/file-size-limit.ts';
import { countsOf } from '../../../tests/kit/owner-queries.ts';
import { replyFaults } from '../../../tests/kit/reply-faults.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

/** Larger than the memory limit, so that it must be written to disk. */
const LARGE = ndjson(manyClusters(400, 30_000));
const ROOM = 1024 * 1024;

describe.skipIf(!canLimitFileSize())('a full disk (skipped without prlimit)', () => {
  let server: TestServer;
  let analyst: Analyst;
  let scratch: string;
  const log: string[] = [];

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'cspm-disk-test-'));
    vi.stubEnv('TMPDIR', scratch);
    server = await startTestServer({
      worker: true,
      log: { write: (line: string) => void log.push(line) },
    });
    analyst = await Analyst.at(server);
  });

  afterEach(() => unlimitFileSize());

  afterAll(async () => {
    await server.close();
    vi.unstubAllEnvs();
    await rm(scratch, { recursive: true, force: true });
  });

  it('a full disk fails a large upload with 503 and Retry-After, while small uploads, scans and later large uploads work', async () => {
    const project = await analyst.project([cluster('before', { legacyAbac: true })]);
    const before = await analyst.ask(200, `/projects/${project}`);
    limitFileSize(ROOM);
    const refused = await analyst.send(project, LARGE);
    expect(refused).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    expect(replyFaults(refused, contract.projects.uploadInventory)).toEqual([]);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(refused.text).not.toMatch(/tmp|EFBIG|ENOSPC/);
    expect(await readdir(scratch)).toEqual([]);
    expect(
      await countsOf(server.database, analyst.tenantId, ['inventories', 'inventory_chunks']),
    ).toEqual({
      inventories: 1,
      inventory_chunks: 1,
    });
    expect(await analyst.ask(200, `/projects/${project}`)).toEqual(before);
    expect(await analyst.scan(project, 'gke')).toMatchObject({
      status: 'completed',
      totals: { assets: 1 },
    });
    expect(await analyst.upload(project, [cluster('small')])).toMatchObject({ assets: 1 });
    unlimitFileSize();
    const taken = await analyst.send(project, LARGE);
    expect(taken.status, taken.text).toBe(201);
    expect(taken.json).toMatchObject({ assets: 400 });
  });

  it('a disk without any room leaves no file open, and a scan waits until there is room', async () => {
    // Another tenant, because an evaluator of the first may still be waiting for its next scan.
    const other = await Analyst.at(server);
    const project = await other.project([cluster('c', { legacyAbac: true })]);
    const openFiles = async () => {
      const names = await readdir('/proc/self/fd');
      const targets = names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''));
      return (await Promise.all(targets)).filter((target) => target.includes(scratch)).length;
    };
    const before = await openFiles();
    limitFileSize(0);
    const refused = await other.send(project, LARGE);
    expect(refused).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    const scanId = await other.launch(project, 'gke');
    await until('the scan waits', async () =>
      log.some((line) => line.includes('the scan will continue later')),
    );
    expect(await openFiles()).toBeLessThanOrEqual(before);
    unlimitFileSize();
    expect(await other.finished(scanId)).toMatchObject({ status: 'completed' });
  });

  it('a full disk gives the same response when not even a temporary folder can be created', async () => {
    const project = await analyst.project();
    vi.stubEnv('TMPDIR', join(scratch, 'gone'));
    const refused = await analyst.send(project, LARGE);
    vi.stubEnv('TMPDIR', scratch);
    expect(refused).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    expect((await analyst.send(project, LARGE)).status).toBe(201);
  });

  it('a full disk fails Terraform uploads and checks of custom rules with 503 and Retry-After', async () => {
    const tenant = await server.people.tenant(['custom_rules']);
    const author = await Analyst.at(server, { tenant });
    const project = await author.project();
    const rule = {
      title: 'Mine',
      severity: 'low',
      assetTypes: ['storage.googleapis.com/Bucket'],
      predicate: 'true',
    };
    const plan = JSON.stringify({ format_version: '1.2', planned_values: { root_module: {} } });
    const all = async () => [
      await author.send(project, plan, { 'content-type': 'application/json' }),
      await author.call('/custom-rules', { method: 'POST', body: rule }),
      await author.call('/custom-rules/test', { method: 'POST', body: { rule } }),
    ];
    limitFileSize(0);
    for (const refused of await all()) {
      expect(refused, refused.text).toMatchObject({
        status: 503,
        json: { code: 'SERVICE_UNAVAILABLE' },
      });
      expect(refused.headers.get('retry-after')).toBe('30');
      expect(refused.text).not.toMatch(/tmp|EFBIG|ENOSPC/);
    }
    unlimitFileSize();
    expect((await all()).map(({ status }) => status)).toEqual([201, 201, 200]);
  });
});
