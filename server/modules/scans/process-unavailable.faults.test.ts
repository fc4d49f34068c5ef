import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { bucket } from '../../../tests/kit/export-records.ts';
import { newId } from '../../platform/ids.ts';
import { EvaluationPool } from './evaluation-pool.ts';
import { ScanEvaluator } from './scan-evaluator.ts';

let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'cspm-unavailable-test-'));
});

afterEach(() => vi.unstubAllEnvs());

afterAll(() => rm(scratch, { recursive: true, force: true }));

it('a scan with custom rules uses TMPDIR, and waits like other scans while the evaluator of its rules cannot be started', async () => {
  vi.stubEnv('TMPDIR', scratch);
  const pool = new EvaluationPool();
  const evaluator = new ScanEvaluator({
    pool,
    isStopping: () => false,
    check: async () => undefined,
    references: async function* () {},
    open: {
      kind: 'open',
      tenantId: newId(),
      projectId: newId(),
      rules: [],
      definitions: [
        {
          ...{ id: 'mine', version: 1, title: 'Mine', description: '', severity: 'low' },
          ...{ assetTypes: ['storage.googleapis.com/Bucket'], predicate: 'true' },
          recommendation: '',
        },
      ],
      now: new Date('2026-11-22T00:00:00Z'),
      assetTypes: [],
      projects: [],
    },
  });
  const chunk = gzipSync(JSON.stringify(bucket('b')));
  try {
    await evaluator.evaluateProjects();
    await rm(scratch, { recursive: true });
    await expect(evaluator.evaluate(0, [chunk], false)).rejects.toMatchObject({
      name: 'ProcessUnavailable',
      cause: { message: expect.stringContaining(scratch) },
    });
  } finally {
    await evaluator.close();
    await pool.close();
    await mkdir(scratch, { recursive: true });
  }
  expect(await readdir(scratch)).toEqual([]);
});
