import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { CustomRuleDefinition, Evaluation } from '@cspm/scanner';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../tests/kit/until.ts';
import { residentLimitMb } from '../../platform/child-process/watched-process.ts';
import { CustomRuleEvaluator } from './custom-rule-evaluator.ts';
import { EVALUATION_LIMITS, type EvaluationLimits } from './evaluation-limits.ts';
import type { AssetText } from './evaluator-messages.ts';
import { EvaluatorPool } from './evaluator-pool.ts';

/** Real processes, with shorter limits than in production. */
const LIMITS: EvaluationLimits = {
  ...EVALUATION_LIMITS,
  evaluationMs: 300,
  strikes: 2,
  memoryMb: 64,
};
/** Each strike costs a process, which must load its TypeScript first. */
const SEVERAL_PROCESSES_MS = 300_000;
const TYPE = 'storage.googleapis.com/Bucket';
const NOW = new Date('2026-11-20T12:00:00Z');

/** Resources to close after the test, in this order. */
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function evaluatorOf(predicates: readonly string[], limits: Partial<EvaluationLimits> = {}) {
  const definitions = predicates.map((predicate, index) =>
    definitionOf(predicate, `rule-${index}`),
  );
  const merged = { ...LIMITS, ...limits };
  const pool = new EvaluatorPool(merged);
  const evaluator = new CustomRuleEvaluator(definitions, NOW, pool, merged);
  open.push(evaluator, pool);
  return evaluator;
}

function definitionOf(predicate: string, id: string): CustomRuleDefinition {
  return {
    id,
    version: 1,
    title: id,
    description: '',
    severity: 'high',
    assetTypes: [TYPE],
    predicate,
    recommendation: '',
  };
}

const bucket = (data: Record<string, unknown>, type = TYPE): AssetText => ({
  type,
  text: JSON.stringify({ name: `//b/${data['name']}`, asset_type: type, resource: { data } }),
});
const buckets = (count: number) => Array.from({ length: count }, (_, name) => bucket({ name }));

/** `verdict`, or `unknown: reason`, of each rule, ordered by id. */
const said = (evaluations: readonly Evaluation[]) =>
  evaluations
    .toSorted((a, b) => (a.ruleId < b.ruleId ? -1 : 1))
    .map(({ verdict, missing }) => (missing === null ? verdict : `${verdict}: ${missing}`));

const LIST = `[${Array(40).fill('1').join(',')}]`;
/** 40 to the sixth power steps, about an hour. */
const EXPLODING = Array.from({ length: 6 }).reduce<string>(
  (inner, _, depth) => `${LIST}.all(x${depth}, ${inner})`,
  'true',
);
/** A deeply nested list with 40 members on each level. */
const HOARDING = `size(${Array.from({ length: 8 }).reduce<string>(
  (inner, _, depth) => `${LIST}.map(x${depth}, ${inner})`,
  '[1]',
)}) == 1`;

describe('the process for custom rules', () => {
  it('the custom rule evaluator evaluates each asset by the rules for its type', async () => {
    const evaluator = evaluatorOf([
      'resource.data.name == "a"',
      '!has(resource.data.name)',
      'resource.data.x',
    ]);
    const evaluated = await evaluator.evaluate([
      bucket({ name: 'a' }),
      bucket({}),
      bucket({}, 'other/Type'),
    ]);
    expect(evaluated.map(said)).toEqual([
      ['fail', 'pass', 'unknown: resource.data.x'],
      ['unknown: resource.data.name', 'fail', 'unknown: resource.data.x'],
      [],
    ]);
    expect(evaluated[0]?.[0]?.findings).toMatchObject([
      { ruleId: 'rule-0', severity: 'high', evidence: [{ path: 'name', value: 'a' }] },
    ]);
  });

  it('the custom rule evaluator evaluates the rules that compile and reports the others as UNKNOWN with the reason', async () => {
    const evaluator = evaluatorOf(['resource.data.name == "a"', 'nothing == 1']);
    expect(await evaluator.compiled()).toMatchObject([
      { fault: null, needs: ['RESOURCE'] },
      {
        fault: expect.stringMatching(/^line 1, column 1: unknown variable nothing/),
        needs: [],
      },
    ]);
    const [[, second] = []] = await evaluator.evaluate([bucket({ name: 'a' })]);
    expect(second).toMatchObject({
      verdict: 'unknown',
      missing: expect.stringContaining('nothing'),
    });
  });
});

describe('a hostile predicate', () => {
  it(
    'a hostile predicate affects only its own verdict and is given up after a few attempts, so that a scan ends',
    async () => {
      const evaluator = evaluatorOf([
        'resource.data.name >= 3 && resource.data.name < 3000',
        EXPLODING,
      ]);
      const evaluated = (await evaluator.evaluate(buckets(5_000))).map(said);
      const hostile = new Set(evaluated.map(([, verdict]) => verdict));
      expect(hostile).toEqual(
        new Set(['unknown: took longer than 0.3 s 2 times and was abandoned']),
      );
      expect(evaluated.filter(([honest]) => honest === 'fail')).toHaveLength(2_997);
      // The rule stays UNKNOWN for later assets.
      expect((await evaluator.evaluate(buckets(1))).map(said)).toEqual([['pass', ...hostile]]);
    },
    SEVERAL_PROCESSES_MS,
  );

  it(
    'a hostile predicate affects only its own verdict when it uses too much heap memory',
    async () => {
      const evaluator = evaluatorOf(['resource.data.name == 0', HOARDING], {
        evaluationMs: 20_000,
      });
      expect((await evaluator.evaluate(buckets(1))).map(said)).toEqual([
        ['fail', 'unknown: took more than 64 MB of memory'],
      ]);
    },
    SEVERAL_PROCESSES_MS,
  );

  it(
    'a hostile predicate is ended when it exceeds the limit of memory outside the heap, and the next one is evaluated',
    async () => {
      const list = `[${Array(30).fill('1').join(',')}]`;
      // 30 × 30 × 4 MiB, all of it outside the V8 heap.
      const hoarding = `size(${list}.map(x, ${list}.map(y, bytes(resource.data.text)))) == 1`;
      const evaluator = evaluatorOf([hoarding], { evaluationMs: 60_000, strikes: 1 });
      const text = 'x'.repeat(4 * 1024 * 1024);
      const evaluated = evaluator.evaluate([bucket({ text })]);
      const largestMb = await largestChildWhile(evaluated);
      expect((await evaluated).map(said)).toEqual([
        [expect.stringMatching(/^unknown: took more than 64 MB of memory/)],
      ]);
      // The heap limit plus the memory of the process around it; the operating system enforces this limit.
      expect(largestMb).toBeLessThan(residentLimitMb(LIMITS) + 256);
      expect((await evaluatorOf(['true']).evaluate(buckets(1))).map(said)).toEqual([['fail']]);
    },
    SEVERAL_PROCESSES_MS,
  );

  it(
    'a hostile predicate cannot double a value without limit',
    async () => {
      const doubled = (value: string) =>
        Array.from({ length: 30 }).reduce<string>(
          (inner, _, depth) => `[${inner}].map(x${depth}, x${depth} + x${depth})[0]`,
          value,
        );
      const values = ['b"aa"', '"aa"', '[1, 2]'].map((value) => `size(${doubled(value)}) > 0`);
      const evaluator = evaluatorOf([...values, '"a".replace("a", "bb") + "c" == "bbc"'], {
        evaluationMs: 20_000,
      });
      expect((await evaluator.evaluate(buckets(1))).map(said)).toEqual([
        [...Array(3).fill(expect.stringMatching(/^unknown: .*too large/)), 'fail'],
      ]);
    },
    SEVERAL_PROCESSES_MS,
  );

  it("a hostile predicate is given up when its evaluations are slow in total, and shares the scan's time with the others", async () => {
    const slow = `${LIST}.all(a, ${LIST}.all(b, ${LIST}.exists(c, c == 1)))`;
    const evaluator = evaluatorOf([slow, 'false'], {
      ruleMs: 3,
      totalMs: 10_000,
      evaluationMs: 5_000,
    });
    expect((await evaluator.evaluate(buckets(1))).map(said)).toEqual([['fail', 'pass']]);
    expect((await evaluator.evaluate(buckets(1))).map(said)).toEqual([
      ['unknown: took longer than 0.003 s in total and was abandoned', 'pass'],
    ]);
    const hurried = evaluatorOf(['true', 'false'], { totalMs: 0 });
    await hurried.evaluate(buckets(1));
    expect((await hurried.evaluate(buckets(1))).map(said)).toEqual([
      Array(2).fill('unknown: custom rules took longer than 0 s in total and were abandoned'),
    ]);
  });

  it('a hostile predicate that is cheap to reject or to evaluate finishes quickly', async () => {
    const predicates = [
      'resource.data.text.matches("^(a+)+$")',
      'resource.data.text.matches("^(a?){500}a{500}$")',
      `${'('.repeat(2_400)}true${')'.repeat(2_400)}`,
      `${'dyn('.repeat(900)}true${')'.repeat(900)}`,
      'has(resource.data.constructor) || has(resource.data.__proto__)',
      'process.env.HOME == ""',
    ];
    // Backtracking would take longer than the age of the universe; a shared core only needs a few times longer.
    const evaluator = evaluatorOf(predicates, { evaluationMs: 5_000 });
    const text = `${'a'.repeat(50_000)}b`;
    expect((await evaluator.evaluate([bucket({ text })])).map(said)).toEqual([
      [
        'pass',
        'pass',
        expect.stringMatching(/^unknown: .*nested too deeply$/),
        expect.stringMatching(/^unknown: .*nested too deeply$/),
        'pass',
        expect.stringContaining('unknown variable process'),
      ],
    ]);
  });
});

describe('a hostile asset', () => {
  it("a hostile asset is UNKNOWN when it exceeds the evaluator's limits, and the others are evaluated", async () => {
    const name = bucket({ name: 'a' });
    const objects = Array(4_000_000).fill('{}').join(',');
    const huge = { type: TYPE, text: bucket({ name: '…' }).text.replace('"…"', `[${objects}]`) };
    const evaluator = evaluatorOf(['resource.data.name == "a"'], { evaluationMs: 10_000 });
    expect((await evaluator.evaluate([name, huge, name])).map(said)).toEqual([
      ['fail'],
      ['unknown: took more than 64 MB of memory'],
      ['fail'],
    ]);
  });
});

describe('an evaluator of custom rules', () => {
  it(
    'a custom rule evaluator is never used twice, even when its memory is nearly full',
    async () => {
      const pool = new EvaluatorPool(LIMITS);
      open.push(pool);
      const hoard = `size(${Array(3).fill(LIST).join(' + ')}) > 0`;
      const pids = new Set<number | undefined>();
      for (const predicate of [hoard, EXPLODING, 'true', 'false']) {
        const evaluator = new CustomRuleEvaluator(
          [definitionOf(predicate, 'mine')],
          NOW,
          pool,
          LIMITS,
        );
        await evaluator.evaluate(buckets(2));
        await evaluator.close();
        const process = pool.take();
        pids.add(process.pid);
        await pool.release(process);
        expect(process.isOver).toBe(true);
      }
      expect(pids.size).toBe(4);
    },
    SEVERAL_PROCESSES_MS,
  );

  it('a custom rule evaluator evaluates nothing after it was closed', async () => {
    const evaluator = evaluatorOf(['true']);
    await evaluator.close();
    await expect(evaluator.evaluate(buckets(1))).rejects.toThrow('is closed');
  });

  it('custom rule evaluators end after the server was killed, even if they are busy', async () => {
    const source = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const program = `
      const { EvaluatorProcess } = await import(${source('./evaluator-process.ts')});
      const evaluator = new EvaluatorProcess(${JSON.stringify({ ...LIMITS, evaluationMs: 1e6 })});
      const [definition, asset] = ${JSON.stringify([definitionOf(EXPLODING, 'hostile'), bucket({})])};
      const nothing = new Map();
      await evaluator.ask({ kind: 'start', definitions: [definition], now: new Date(), givenUp: nothing });
      console.log(evaluator.pid);
      await evaluator.ask({ kind: 'evaluate', assets: [asset], stopped: nothing, givenUp: nothing });`;
    const parent = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', program],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = await once(parent.stdout, 'data');
    const evaluator = Number(line);
    expect(isAlive(evaluator)).toBe(true);
    parent.kill('SIGKILL');
    await until('the end of the evaluator', async () => !isAlive(evaluator));
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The largest resident memory of a child process in MiB, from /proc; 0 where it is not available. */
async function largestChildWhile(work: Promise<unknown>): Promise<number> {
  let largest = 0;
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const pid of await readdir('/proc').catch(() => [])) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      if (Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) !== process.pid) continue;
      largest = Math.max(largest, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await over;
  return largest;
}
