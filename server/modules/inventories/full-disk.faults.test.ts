import { mkdtemp, readdir, rm } from 'node:fs/promises';
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

/** Larger than the memory limit, so that it must be written to disk. */
const LARGE = ndjson(manyClusters(400, 30_000));
const ROOM = 1024 * 1024;

describe.skipIf(!canLimitFileSize())('a full disk (skipped without prlimit)', () => {
  let server: TestServer;
  let analyst: Analyst;
  let scratch: string;

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'cspm-disk-test-'));
    vi.stubEnv('TMPDIR', scratch);
    server = await startTestServer({ worker: true });
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

  it('a full disk gives the same response when not even a temporary folder can be created', async () => {
    const project = await analyst.project();
    vi.stubEnv('TMPDIR', join(scratch, 'gone'));
    const refused = await analyst.send(project, LARGE);
    vi.stubEnv('TMPDIR', scratch);
    expect(refused).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    expect((await analyst.send(project, LARGE)).status).toBe(201);
  });
});
