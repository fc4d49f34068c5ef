import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Evaluator } from '../evaluate.ts';
import { mergeRecords } from '../inventory/merge.ts';
import { parseAsset } from '../inventory/normalise.ts';
import { readInventory } from '../inventory/reader.ts';
import type { InventoryRecord } from '../inventory/record.ts';
import { resolveProfile } from '../profile.ts';
import { snapshotOf } from '../testing/snapshot.ts';

/*
 * Exports that Google published with the tests of its policy library, and the violations those tests expect. The data
 * is kept outside of the repository.
 */
const FOLDER = join(import.meta.dirname, '../../../shared/data/gcp-policy-library');
const present = existsSync(FOLDER);
const suite = present
  ? 'the policy library'
  : 'the policy library: skipped, its data is absent (shared/data/gcp-policy-library)';

interface Expectation {
  readonly file: string;
  readonly rule: string;
  readonly fail: readonly string[];
}

const expectations: readonly Expectation[] = present
  ? JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'))
  : [];

/** The assets of a file, with their records merged. */
async function assetsOf(file: string) {
  const byName = new Map<string, InventoryRecord[]>();
  const options = { format: 'json', maxBytes: 1e9, maxRecordBytes: 4 << 20 } as const;
  for await (const record of readInventory(createReadStream(join(FOLDER, file)), options)) {
    const key = `${record.type} ${record.name}`;
    byName.set(key, [...(byName.get(key) ?? []), record]);
  }
  return [...byName.values()].map((records) => parseAsset(mergeRecords(records).text));
}

async function evaluationsOf(file: string) {
  const profile = resolveProfile('full');
  if (profile === undefined) throw new Error('There is no profile named full.');
  const assets = await assetsOf(file);
  const evaluator = new Evaluator(profile, { now: new Date(), snapshot: snapshotOf(assets) });
  return assets.flatMap((asset) =>
    evaluator.evaluate(asset).map((evaluation) => ({ asset: asset.name, ...evaluation })),
  );
}

describe.skipIf(!present)(suite, () => {
  it('the policy library has all its files', () => {
    expect(expectations).toHaveLength(17);
  });

  it.each(expectations)('$rule finds the same violations in $file as Google', async (expected) => {
    const failing = (await evaluationsOf(expected.file)).filter(
      ({ ruleId, verdict }) => ruleId === expected.rule && verdict === 'fail',
    );
    expect(failing.map(({ asset }) => asset).toSorted()).toEqual([...expected.fail].toSorted());
  });

  it('the policy library is evaluated without an unknown verdict for content that it has', async () => {
    for (const { file, rule } of expectations) {
      const own = (await evaluationsOf(file)).filter(({ ruleId }) => ruleId === rule);
      expect(own.length).toBeGreaterThan(0);
      expect(own.filter(({ verdict }) => verdict === 'unknown')).toEqual([]);
    }
  });

  it('every file of the policy library is read', async () => {
    const files = readdirSync(FOLDER).filter(
      (file) => file.endsWith('.json') && file !== 'expected.json',
    );
    for (const file of files) expect((await assetsOf(file)).length).toBeGreaterThan(0);
  });
});
