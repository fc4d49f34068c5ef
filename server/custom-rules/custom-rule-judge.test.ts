import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CustomRuleDefinition, Evaluation } from '@cspm/scanner';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { CustomRuleJudge } from './custom-rule-judge.ts';
import { EVALUATION_LIMITS, type EvaluationLimits } from './evaluation-limits.ts';
import type { AssetText } from './evaluator-messages.ts';
import { EvaluatorPool } from './evaluator-pool.ts';

/** Real processes, with less patience than a server has. */
const LIMITS: EvaluationLimits = {
  ...EVALUATION_LIMITS,
  evaluationMs: 300,
  strikes: 2,
  memoryMb: 64,
};
/** Each strike costs a process, which here has its TypeScript to load first. */
const SEVERAL_PROCESSES_MS = 90_000;
const TYPE = 'storage.googleapis.com/Bucket';
const NOW = new Date('2026-11-20T12:00:00Z');

/** What is left open, in the order in which it is to be closed. */
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function judgeOf(predicates: readonly string[], limits: Partial<EvaluationLimits> = {}) {
  const definitions = predicates.map((predicate, index) =>
    definitionOf(predicate, `rule-${index}`),
  );
  const merged = { ...LIMITS, ...limits };
  const pool = new EvaluatorPool(merged);
  const judge = new CustomRuleJudge(definitions, NOW, pool, merged);
  open.push(judge, pool);
  return judge;
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

/** `verdict`, or `unknown: why`, of each rule in the order of ids. */
const said = (evaluations: readonly Evaluation[]) =>
  evaluations
    .toSorted((a, b) => (a.ruleId < b.ruleId ? -1 : 1))
    .map(({ verdict, missing }) => (missing === null ? verdict : `${verdict}: ${missing}`));

const LIST = `[${Array(40).fill('1').join(',')}]`;
/** 40 to the sixth steps, about an hour. */
const EXPLODING = Array.from({ length: 6 }).reduce<string>(
  (inner, _, depth) => `${LIST}.all(x${depth}, ${inner})`,
  'true',
);
/** A list of lists of lists…, each of 40. */
const HOARDING = `size(${Array.from({ length: 8 }).reduce<string>(
  (inner, _, depth) => `${LIST}.map(x${depth}, ${inner})`,
  '[1]',
)}) == 1`;

describe('assets are judged in a process of their own', () => {
  it('each by the rules that name its type', async () => {
    const judge = judgeOf([
      'resource.data.name == "a"',
      '!has(resource.data.name)',
      'resource.data.x',
    ]);
    const judged = await judge.judge([bucket({ name: 'a' }), bucket({}), bucket({}, 'other/Type')]);
    expect(judged.map(said)).toEqual([
      ['fail', 'pass', 'unknown: resource.data.x'],
      ['unknown: resource.data.name', 'fail', 'unknown: resource.data.x'],
      [],
    ]);
    expect(judged[0]?.[0]?.findings).toMatchObject([
      { ruleId: 'rule-0', severity: 'high', evidence: [{ path: 'name', value: 'a' }] },
    ]);
  });

  it('by those that compile; of the others it is told why not, and they are UNKNOWN', async () => {
    const judge = judgeOf(['resource.data.name == "a"', 'nothing == 1']);
    expect(await judge.compiled()).toMatchObject([
      { fault: null, needs: ['RESOURCE'] },
      {
        fault: expect.stringMatching(/^line 1, column 1: there is no variable nothing/),
        needs: [],
      },
    ]);
    const [[, second] = []] = await judge.judge([bucket({ name: 'a' })]);
    expect(second).toMatchObject({
      verdict: 'unknown',
      missing: expect.stringContaining('nothing'),
    });
  });
});

describe('a predicate that is hostile', () => {
  it(
    'costs its own verdict and no other, and is given up after a few times, so that a scan ends',
    async () => {
      const judge = judgeOf(['resource.data.name >= 3 && resource.data.name < 3000', EXPLODING]);
      const judged = (await judge.judge(buckets(5_000))).map(said);
      const hostile = new Set(judged.map(([, verdict]) => verdict));
      expect(hostile).toEqual(
        new Set(['unknown: took longer than 0.3 s 2 times and was given up']),
      );
      expect(judged.filter(([honest]) => honest === 'fail')).toHaveLength(2_997);
      // And stays so.
      expect((await judge.judge(buckets(1))).map(said)).toEqual([['pass', ...hostile]]);
    },
    SEVERAL_PROCESSES_MS,
  );

  it(
    'costs no more than its verdict when it hoards memory either',
    async () => {
      const judge = judgeOf(['resource.data.name == 0', HOARDING], { evaluationMs: 20_000 });
      expect((await judge.judge(buckets(1))).map(said)).toEqual([
        ['fail', 'unknown: took more than 64 MB of memory'],
      ]);
    },
    SEVERAL_PROCESSES_MS,
  );

  it('is given up when it is slow without ever being too slow, and shares the time of its scan with the others', async () => {
    const slow = `${LIST}.all(a, ${LIST}.all(b, ${LIST}.exists(c, c == 1)))`;
    const judge = judgeOf([slow, 'false'], { ruleMs: 3, totalMs: 10_000, evaluationMs: 5_000 });
    expect((await judge.judge(buckets(1))).map(said)).toEqual([['fail', 'pass']]);
    expect((await judge.judge(buckets(1))).map(said)).toEqual([
      ['unknown: took longer than 0.003 s in all and was given up', 'pass'],
    ]);
    const hurried = judgeOf(['true', 'false'], { totalMs: 0 });
    await hurried.judge(buckets(1));
    expect((await hurried.judge(buckets(1))).map(said)).toEqual([
      Array(2).fill('unknown: custom rules took longer than 0 s in all and were given up'),
    ]);
  });

  it('but cheap to refuse, or to evaluate after all, is done with at once', async () => {
    const judge = judgeOf([
      'resource.data.text.matches("^(a+)+$")',
      'resource.data.text.matches("^(a?){500}a{500}$")',
      `${'('.repeat(2_400)}true${')'.repeat(2_400)}`,
      `${'dyn('.repeat(900)}true${')'.repeat(900)}`,
      'has(resource.data.constructor) || has(resource.data.__proto__)',
      'process.env.HOME == ""',
    ]);
    const text = `${'a'.repeat(50_000)}b`;
    expect((await judge.judge([bucket({ text })])).map(said)).toEqual([
      [
        'pass',
        'pass',
        expect.stringMatching(/^unknown: .*nested too deeply$/),
        expect.stringMatching(/^unknown: .*nested too deeply$/),
        'pass',
        expect.stringContaining('there is no variable process'),
      ],
    ]);
  });
});

describe('an asset that is hostile', () => {
  it('and too much for an evaluator by itself is UNKNOWN, the others are judged', async () => {
    const name = bucket({ name: 'a' });
    const objects = Array(4_000_000).fill('{}').join(',');
    const huge = { type: TYPE, text: bucket({ name: '…' }).text.replace('"…"', `[${objects}]`) };
    const judge = judgeOf(['resource.data.name == "a"'], { evaluationMs: 10_000 });
    expect((await judge.judge([name, huge, name])).map(said)).toEqual([
      ['fail'],
      ['unknown: took more than 64 MB of memory'],
      ['fail'],
    ]);
  });
});

describe('a judge', () => {
  it('leaves its evaluator to the next one, which knows nothing of the rules before', async () => {
    const pool = new EvaluatorPool(LIMITS);
    open.push(pool);
    const pids: (number | undefined)[] = [];
    for (const predicate of [
      'resource.data.name == 0',
      'resource.data.name == 1',
      EXPLODING,
      'true',
    ]) {
      const judge = new CustomRuleJudge([definitionOf(predicate, 'mine')], NOW, pool, LIMITS);
      await judge.judge(buckets(2));
      await judge.close();
      const evaluator = pool.take();
      pids.push(evaluator.pid);
      await pool.release(evaluator);
    }
    const [first, second, ...others] = pids;
    expect(second).toBe(first);
    expect(others).not.toContain(first);
    const last = new CustomRuleJudge([definitionOf('false', 'mine')], NOW, pool, LIMITS);
    expect((await last.judge(buckets(1))).map(said)).toEqual([['pass']]);
    await last.close();
  });

  it('that was closed judges no more', async () => {
    const judge = judgeOf(['true']);
    await judge.close();
    await expect(judge.judge(buckets(1))).rejects.toThrow('has been closed');
  });

  it('that is killed leaves no evaluator behind, however busy that is', async () => {
    const source = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const program = `
      const { EvaluatorProcess } = await import(${source('./evaluator-process.ts')});
      const evaluator = new EvaluatorProcess(${JSON.stringify({ ...LIMITS, evaluationMs: 1e6 })});
      const [definition, asset] = ${JSON.stringify([definitionOf(EXPLODING, 'hostile'), bucket({})])};
      const nothing = new Map();
      await evaluator.ask({ kind: 'start', definitions: [definition], now: new Date(), givenUp: nothing });
      console.log(evaluator.pid);
      await evaluator.ask({ kind: 'judge', assets: [asset], stopped: nothing, givenUp: nothing });`;
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
