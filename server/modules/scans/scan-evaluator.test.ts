import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { gzipSync } from 'node:zlib';
import { RULES } from '@cspm/scanner';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import type { PackedFindings } from '../findings/index.ts';
import { SCAN_EVALUATION } from './evaluation-limits.ts';
import { EvaluationPool } from './evaluation-pool.ts';
import { LeaseLost } from './leases.ts';
import {
  EvaluationInterrupted,
  ScanEvaluator,
  type ScanEvaluatorOptions,
} from './scan-evaluator.ts';
import { ScanFault } from './scan-fault.ts';

/** Starts several processes in sequence, possibly on a busy machine. */
const SEVERAL_PROCESSES_MS = 300_000;
const BUCKET = 'storage.googleapis.com/Bucket';
const PROJECT = 'cloudresourcemanager.googleapis.com/Project';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

function poolOf(limits: Partial<typeof SCAN_EVALUATION> = {}): EvaluationPool {
  const pool = new EvaluationPool({ ...SCAN_EVALUATION, ...limits });
  open.push(pool);
  return pool;
}

function evaluatorOf(
  pool: EvaluationPool,
  rules: readonly string[],
  options: Partial<Omit<ScanEvaluatorOptions, 'open' | 'pool'>> = {},
  tenantId: string = newId(),
): ScanEvaluator {
  const evaluator = new ScanEvaluator({
    pool,
    isStopping: () => false,
    check: async () => undefined,
    references: async function* () {},
    ...options,
    open: {
      kind: 'open',
      tenantId,
      projectId: newId(),
      rules: RULES.filter(({ id }) => rules.includes(id)).map(({ id, version, parameters }) => ({
        id,
        version,
        parameters,
      })),
      definitions: [],
      now: new Date('2026-11-22T00:00:00Z'),
      assetTypes: [{ type: PROJECT, count: 1 }],
      projects: [],
      refusedKinds: [],
    },
  });
  open.push(evaluator);
  return evaluator;
}

const packed = (...lines: readonly string[]) => gzipSync(lines.join('\n'), { level: 1 });

function asset(type: string, name: string, data: unknown): string {
  return JSON.stringify({ name, asset_type: type, ancestors: [], resource: { data } });
}

const bucket = (name: string, data: object = {}) =>
  asset(BUCKET, `//storage.googleapis.com/${name}`, data);

/** In hex: after the header of the array, each of 32 bytes follows its length. */
function fingerprintsOf({ fingerprint }: PackedFindings): string[] {
  const hex = Buffer.from(fingerprint.subarray(20)).toString('hex');
  return Array.from({ length: hex.length / 72 }, (_, at) => hex.slice(at * 72 + 8, (at + 1) * 72));
}

/** Takes several seconds and hundreds of MB to read. */
const HUGE = packed(
  bucket('huge').replace('{}', `{"list":[${Array(8_000_000).fill('{}').join(',')}]}`),
);

it(
  'a scan evaluator returns the findings of a rule ordered by fingerprint, and undecided assets if requested',
  async () => {
    const evaluator = evaluatorOf(poolOf(), ['bucket-public-access-prevention']);
    const names = Array.from({ length: 1_200 }, (_, at) => `b-${at}`);
    const chunks = [packed(...names.slice(0, 700).map((name) => bucket(name)))];
    const bare = JSON.stringify({ name: '//storage.googleapis.com/bare', asset_type: BUCKET });
    chunks.push(packed(...names.slice(700).map((name) => bucket(name)), bare));
    const evaluated = await evaluator.evaluate(0, chunks, true);
    expect(evaluated.assets).toBe(1_201);
    expect(evaluated.undecidedAssets).toEqual(['//storage.googleapis.com/bare']);
    expect(evaluated.verdictCounts.totals).toEqual({ pass: 0, fail: 1_200, na: 0, unknown: 1 });
    const fingerprints = evaluated.findings.flatMap(fingerprintsOf);
    expect(fingerprints).toHaveLength(1_200);
    expect(fingerprints).toEqual([...new Set(fingerprints)].toSorted());
    expect((await evaluator.evaluate(2, chunks, false)).undecidedAssets).toEqual([]);
  },
  SEVERAL_PROCESSES_MS,
);

it(
  'a scan evaluator evaluates projects by the reference assets of all chunks',
  async () => {
    const project = asset(PROJECT, '//cloudresourcemanager.googleapis.com/projects/1', {
      projectId: 'p',
      projectNumber: '1',
    });
    const evaluator = evaluatorOf(poolOf(), ['log-sink-all'], {
      references: async function* () {
        yield [packed(project)];
      },
    });
    const { assetNames, isUndecided } = await evaluator.evaluateProjects();
    expect(assetNames).toEqual(['//cloudresourcemanager.googleapis.com/projects/1']);
    expect(isUndecided(assetNames[0] ?? '', 'log-sink-all')).toBe(true);
  },
  SEVERAL_PROCESSES_MS,
);

describe("an inventory that exceeds the evaluator's limits", () => {
  it(
    'a scan fails after two attempts that take too long, and names the part of the inventory',
    async () => {
      const pool = poolOf({ evaluationMs: 100, memoryMb: 4_000 });
      const evaluator = evaluatorOf(pool, ['bucket-public-access-prevention']);
      const evaluated = evaluator.evaluate(7, [HUGE], false);
      await expect(evaluated).rejects.toThrow(ScanFault);
      await expect(evaluated).rejects.toThrow(
        /took longer than 0.1 s on part 8 of the inventory\. .* Attempts: 2\./,
      );
    },
    SEVERAL_PROCESSES_MS,
  );

  it(
    "a scan that takes too much memory fails without ending the server's process",
    async () => {
      const pool = poolOf({ evaluationMs: 60_000, memoryMb: 64 });
      const evaluator = evaluatorOf(pool, ['bucket-public-access-prevention']);
      await expect(evaluator.evaluate(0, [HUGE], false)).rejects.toThrow(
        /took more than 64 MB of memory on part 1 of the inventory/,
      );
      // The next scan is not affected.
      const next = evaluatorOf(pool, ['bucket-public-access-prevention']);
      expect((await next.evaluate(0, [packed(bucket('b'))], false)).assets).toBe(1);
    },
    SEVERAL_PROCESSES_MS,
  );

  it(
    'a scan fails when rules find more than one step can record',
    async () => {
      const evaluator = evaluatorOf(poolOf(), ['iam-primitive-roles']);
      const members = Array.from({ length: 2_500 }, (_, at) => `user:${at}@x.example`);
      const records = Array.from({ length: 41 }, (_, at) =>
        JSON.stringify({
          name: `//cloudresourcemanager.googleapis.com/projects/${at}`,
          asset_type: PROJECT,
          iam_policy: { bindings: [{ role: 'roles/owner', members }] },
        }),
      );
      await expect(evaluator.evaluate(0, [packed(...records)], false)).rejects.toThrow(
        /more than 100,000 violations/,
      );
    },
    SEVERAL_PROCESSES_MS,
  );
});

it(
  'a stopping worker does not wait for a scan evaluator',
  async () => {
    let stopping = false;
    const evaluator = evaluatorOf(
      poolOf({ evaluationMs: 300_000, chunkMs: 300_000, memoryMb: 8_000 }),
      ['bucket-public-access-prevention'],
      { isStopping: () => stopping },
    );
    const evaluated = evaluator.evaluate(0, Array(40).fill(HUGE), false);
    evaluated.catch(() => undefined);
    stopping = true;
    await expect(evaluated).rejects.toThrow(EvaluationInterrupted);
  },
  SEVERAL_PROCESSES_MS,
);

it(
  'an evaluation ends when another worker has taken the slot of its scan, and goes on while the database does not answer',
  async () => {
    const slot = { tenantId: newId(), scanId: newId(), projectId: newId(), slot: 0 };
    let checks = 0;
    const evaluator = evaluatorOf(
      poolOf({ evaluationMs: 300_000, chunkMs: 300_000, memoryMb: 8_000 }),
      ['bucket-public-access-prevention'],
      {
        check: async () => {
          checks += 1;
          throw checks === 1 ? new Error('no answer') : new LeaseLost(slot);
        },
      },
    );
    await expect(evaluator.evaluate(0, Array(40).fill(HUGE), false)).rejects.toThrow(LeaseLost);
    expect(checks).toBeGreaterThan(1);
  },
  SEVERAL_PROCESSES_MS,
);

it(
  'a scan evaluator is kept for the next scan of the same tenant, never for another tenant',
  async () => {
    const pool = poolOf();
    const [tenant, other] = [newId(), newId()];
    const used: (number | undefined)[] = [];
    for (const tenantId of [tenant, tenant, other]) {
      const evaluator = evaluatorOf(pool, ['bucket-public-access-prevention'], {}, tenantId);
      await evaluator.evaluate(0, [packed(bucket('b'))], false);
      await evaluator.close();
      const process = pool.take(tenantId);
      used.push(process.pid);
      await pool.release(tenantId, process);
    }
    expect(used[1]).toBe(used[0]);
    expect(used[2]).not.toBe(used[0]);
    await until('the end of the first process', async () => !isAlive(used[0] ?? 0));
  },
  SEVERAL_PROCESSES_MS,
);

it(
  'all threads of a scan evaluator have a lower priority than the server, so that requests come first',
  async () => {
    const pool = poolOf();
    const tenantId = newId();
    const evaluator = evaluatorOf(pool, ['bucket-public-access-prevention'], {}, tenantId);
    await evaluator.evaluate(0, [packed(bucket('b'))], false);
    await evaluator.close();
    const { pid = 0 } = pool.take(tenantId);
    const threads =
      process.platform === 'linux' ? (await readdir(`/proc/${pid}/task`)).map(Number) : [pid];
    expect(new Set(threads.map((thread) => getPriority(thread)))).toEqual(
      new Set([Math.min(getPriority() + 10, 19)]),
    );
  },
  SEVERAL_PROCESSES_MS,
);

it.skipIf(sessionOf(process.pid) === null)(
  'a scan evaluator has a session of its own with a lower priority, because Linux shares the cores among sessions first',
  async () => {
    const pool = poolOf();
    const { pid = 0 } = pool.take(newId());
    const expected = `nice ${Math.min(getPriority() + 10, 19)}`;
    await until('the lower priority', async () => sessionOf(pid)?.nice === expected);
    expect(sessionOf(pid)?.name).not.toBe(sessionOf(process.pid)?.name);
  },
  SEVERAL_PROCESSES_MS,
);

/** Null where the system does not share the cores among sessions. */
function sessionOf(pid: number): { readonly name?: string; readonly nice: string } | null {
  const file = `/proc/${pid}/autogroup`;
  if (!existsSync(file)) return null;
  const [name = '', ...nice] = readFileSync(file, 'utf8').trim().split(' ');
  return { name, nice: nice.join(' ') };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
