import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contract } from '@cspm/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Analyst } from '../testing/analyst.ts';
import { countsOf } from '../testing/behind-the-scenes.ts';
import { cluster, manyClusters, ndjson } from '../testing/export-records.ts';
import { canLimitFileSize, limitFileSize, unlimitFileSize } from '../testing/file-size-limit.ts';
import { replyFaults } from '../testing/reply-faults.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

/** More than is held in memory, so that it has to wait on the disk. */
const LARGE = ndjson(manyClusters(400, 30_000));
const ROOM = 1024 * 1024;

describe.skipIf(!canLimitFileSize())(
  'when the disk is full (skipped where there is no prlimit)',
  () => {
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

    it('a large upload is answered 503 with Retry-After and changes nothing; small ones, scans and the next large one are as ever', async () => {
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

    it('not even a folder for temporary files can be made, the answer is the same', async () => {
      const project = await analyst.project();
      vi.stubEnv('TMPDIR', join(scratch, 'gone'));
      const refused = await analyst.send(project, LARGE);
      vi.stubEnv('TMPDIR', scratch);
      expect(refused).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
      expect((await analyst.send(project, LARGE)).status).toBe(201);
    });
  },
);
