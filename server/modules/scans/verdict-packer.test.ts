import type { Evaluation, Verdict } from '@cspm/scanner';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countVerdicts, unpackVerdicts, VerdictPacker } from './verdict-packer.ts';

const evaluation = (ruleId: string, verdict: Verdict, missing: string | null = null) =>
  ({ ruleId, verdict, missing, findings: [] }) satisfies Evaluation;

const anyEvaluation = fc.oneof(
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<Verdict>('pass', 'fail', 'na'))
    .map(([ruleId, verdict]) => evaluation(ruleId, verdict)),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('RESOURCE', 'IAM_POLICY', ''))
    .map(([ruleId, missing]) => evaluation(ruleId, 'unknown', missing)),
);

const verdictsOf = (evaluations: readonly Evaluation[]) =>
  evaluations.map(({ ruleId, verdict, missing }) => ({ ruleId, verdict, missing }));

it('the verdicts on each asset are unpacked in their order, with those that were added later', async () => {
  const asset = fc.tuple(fc.array(anyEvaluation), fc.array(anyEvaluation));
  await fc.assert(
    fc.asyncProperty(fc.array(asset, { maxLength: 20 }), async (assets) => {
      const packer = new VerdictPacker();
      const indexes = assets.map(([first]) => {
        const index = packer.begin('name');
        packer.add(index, first);
        return index;
      });
      for (const [at, [, later]] of assets.entries()) packer.add(indexes[at] ?? -1, later);
      const data = await packer.pack();
      for (const [line, [first, later]] of assets.entries()) {
        expect(await unpackVerdicts(data, { line })).toEqual(verdictsOf([...first, ...later]));
      }
      const counted: unknown[] = [];
      expect(
        await countVerdicts(data, (verdict, times) => counted.push({ ...verdict, assets: times })),
      ).toBe(assets.length);
      expect(packer.counts.map(({ index: _, ...count }) => count)).toEqual(counted);
    }),
    { numRuns: 100 },
  );
});

it('verdicts are found by the name of a project', async () => {
  const packer = new VerdictPacker({ withNames: true });
  packer.add(packer.begin('first'), [evaluation('a', 'pass')]);
  packer.add(packer.begin('second'), [evaluation('a', 'fail')]);
  const data = await packer.pack();
  expect(await unpackVerdicts(data, { name: 'second' })).toEqual([
    { ruleId: 'a', verdict: 'fail', missing: null },
  ]);
  expect(await unpackVerdicts(data, { name: 'third' })).toBeNull();
});

it('packed verdicts truncate a long text about missing content, and tell that they do', async () => {
  const packer = new VerdictPacker();
  const index = packer.begin('name');
  packer.add(index, [evaluation('a', 'unknown', 'x'.repeat(500))]);
  expect(packer.isExact).toBe(true);
  packer.add(index, [evaluation('a', 'unknown', 'x'.repeat(501))]);
  expect(packer.isExact).toBe(false);
  const text = { ruleId: 'a', verdict: 'unknown', missing: 'x'.repeat(500) };
  expect(await unpackVerdicts(await packer.pack(), { line: 0 })).toEqual([text, text]);
  expect(packer.counts.map(({ missing }) => missing?.length)).toEqual([500, 501]);
});
