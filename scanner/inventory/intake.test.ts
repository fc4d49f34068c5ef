import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Intake } from './intake.ts';
import { INVENTORY_LIMITS } from './limits.ts';
import { parseAsset } from './normalise.ts';
import { readInventory } from './reader.ts';
import type { InventoryRecord } from './record.ts';

interface Written {
  readonly asset: number;
  readonly kind: 'resource' | 'iam_policy';
  /** Distinguishes contents. */
  readonly content: string;
  /** Null: the record gives no time. */
  readonly second: number | null;
}

/** Few assets, so several records describe the same one; strings that could break a spill file. */
const written: fc.Arbitrary<Written> = fc.record({
  asset: fc.nat(5),
  kind: fc.constantFrom('resource', 'iam_policy'),
  content: fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('\t', '\n', '\u2028', '\r', '"'),
  ),
  second: fc.option(fc.nat(50), { nil: null }),
});

function lineOf({ asset, kind, content, second }: Written): object {
  return {
    name: `//service/${asset}\t\u2028`,
    asset_type: asset % 2 === 0 ? 'even' : 'odd',
    [kind]: kind === 'resource' ? { data: { content } } : { bindings: [{ role: content }] },
    ...(second === null ? {} : { update_time: new Date(second * 1000).toISOString() }),
  };
}

function bucket(name: string): object {
  return {
    name: `//storage.googleapis.com/${name}`,
    asset_type: 'storage.googleapis.com/Bucket',
    resource: { data: { id: name } },
  };
}

/** With a fixed seed, so the order of the assets can be compared. */
const SEED = [7, 11] as const;

async function taken(lines: readonly object[], heldBytes: number) {
  const intake = new Intake({ heldBytes, seed: SEED });
  try {
    for (const record of await recordsOf(lines)) await intake.add(record);
    const assets: string[] = [];
    for await (const { text } of intake.assets()) assets.push(text);
    return { assets, summary: intake.summary() };
  } finally {
    await intake.close();
  }
}

async function recordsOf(lines: readonly object[]): Promise<InventoryRecord[]> {
  async function* source() {
    yield Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  }
  const options = { format: 'ndjson', maxBytes: 1e9, maxRecordBytes: 1e6 } as const;
  const records: InventoryRecord[] = [];
  for await (const record of readInventory(source(), options)) records.push(record);
  return records;
}

/** The merged contents per asset, independent of the order of assets. */
function contents(assets: readonly string[]) {
  return assets
    .map((text) => parseAsset(text))
    .map(({ name, type, data, iamPolicy }) => ({ name, type, data, iamPolicy }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const IN_MEMORY = Number.POSITIVE_INFINITY;

describe('an ingested inventory', () => {
  it('an ingested inventory is byte for byte the same in memory and on disk', async () => {
    const heldBytes = fc.constantFrom(1, 100, 400, 2_000);
    await fc.assert(
      fc.asyncProperty(fc.array(written, { maxLength: 40 }), heldBytes, async (all, held) => {
        const lines = all.map(lineOf);
        expect(await taken(lines, held)).toEqual(await taken(lines, IN_MEMORY));
      }),
      { numRuns: 60 },
    );
  });

  it('an ingested inventory is the same in any order of records whose times say which one is newer', async () => {
    const distinct = fc.uniqueArray(
      written.map((record) => ({ ...record, second: record.second ?? 51 })),
      { selector: ({ asset, kind, second }) => `${asset} ${kind} ${second}`, maxLength: 40 },
    );
    const shuffled = distinct.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([all, other]) => {
        const [one, two] = [await taken(all.map(lineOf), 300), await taken(other.map(lineOf), 300)];
        expect(contents(two.assets)).toEqual(contents(one.assets));
        expect(two.summary.assetTypes).toEqual(one.summary.assetTypes);
        expect(two.summary.warnings.length).toBe(one.summary.warnings.length);
      }),
      { numRuns: 60 },
    );
  });

  it('an ingested inventory is the same when every record comes twice, with one warning for each that repeats', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(written, { maxLength: 20 }), async (all) => {
        const lines = all.map(lineOf);
        const once = await taken(lines, IN_MEMORY);
        const twice = await taken([...lines, ...lines], 300);
        expect(contents(twice.assets)).toEqual(contents(once.assets));
        expect(twice.summary.assets).toBe(once.summary.assets);
        expect(twice.summary.warnings.length).toBe(once.summary.warnings.length + lines.length);
      }),
      { numRuns: 60 },
    );
  });

  it('an ingested inventory counts each asset once, by its type', async () => {
    const { summary } = await taken([bucket('a'), bucket('b'), bucket('a')], 1);
    expect(summary).toMatchObject({
      assets: 2,
      assetTypes: [{ type: 'storage.googleapis.com/Bucket', count: 2 }],
      warnings: [{ line: 1 }],
    });
  });

  it('an ingested inventory keeps the first hundred warnings by line, in whichever partitions their assets are', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => bucket(`b${index}`));
    const { summary } = await taken([...lines, ...lines], 5_000);
    expect(summary.warnings.map(({ line }) => line)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
  });
});

describe('an inventory is refused while it comes in', () => {
  async function refusalAt(lines: readonly object[]): Promise<unknown> {
    const intake = new Intake();
    try {
      for (const record of await recordsOf(lines)) await intake.add(record);
    } catch (error) {
      return error;
    } finally {
      await intake.close();
    }
    throw new Error('The inventory was not refused.');
  }

  it('an inventory is refused at the first asset type over the limit', async () => {
    const types = Array.from({ length: INVENTORY_LIMITS.assetTypes + 5 }, (_, index) => ({
      ...bucket('b'),
      asset_type: `type/${index}`,
    }));
    expect(await refusalAt(types)).toMatchObject({
      code: 'malformed',
      place: `line ${INVENTORY_LIMITS.assetTypes + 1}`,
    });
  });

  it('an inventory is refused at the first record over the limit of one asset', async () => {
    const repeated = Array.from({ length: INVENTORY_LIMITS.assetRecords + 5 }, () => bucket('b'));
    expect(await refusalAt(repeated)).toMatchObject({
      code: 'too_large',
      place: `line ${INVENTORY_LIMITS.assetRecords + 1}`,
    });
  });
});

it('the summary of an inventory lists the asset types with the most assets first, and counts all warnings', async () => {
  const lines = [
    ...Array.from({ length: 3 }, (_, index) => ({ ...bucket(`b${index}`), asset_type: 'b' })),
    { ...bucket('a'), asset_type: 'a' },
    { ...bucket('c'), asset_type: 'c' },
  ];
  const { summary } = await taken([...lines, ...lines], IN_MEMORY);
  expect(summary.assetTypes).toEqual([
    { type: 'b', count: 3 },
    { type: 'a', count: 1 },
    { type: 'c', count: 1 },
  ]);
  expect(summary.warningCount).toBe(5);
});

it('an IAM policy in another form than the API writes is a warning with its line, once', async () => {
  const members = (given: unknown) => ({ bindings: [{ role: 'roles/viewer', members: given }] });
  const policies = [members(['allUsers']), members('allUsers'), { bindings: 'allUsers' }, {}];
  const intake = new Intake();
  const lines = policies.map((iam_policy, at) => ({ ...bucket(`b${at}`), iam_policy }));
  for (const record of await recordsOf(lines)) await intake.add(record);
  for (let time = 0; time < 2; time += 1) {
    for await (const _ of intake.assets());
    const { warnings, warningCount } = intake.summary();
    expect(warnings.map(({ line }) => line)).toEqual([2, 3]);
    expect(warnings[0]?.message).toMatch(/^The IAM policy of this record /);
    expect(warningCount).toBe(2);
  }
  await intake.close();
});

it('a planned policy with members that are known after apply causes no warning', async () => {
  const planned = {
    ...bucket('b'),
    iam_policy: { bindings: [{ role: 'roles/viewer', members: [null] }] },
    unknown_after_apply: [['iamPolicy', 'bindings', '0', 'members', '0']],
  };
  const { summary } = await taken([planned], IN_MEMORY);
  expect(summary.warnings).toEqual([]);
});

it('the assets of an ingested inventory can be read again, and are counted once', async () => {
  const intake = new Intake({ heldBytes: 100 });
  for (const record of await recordsOf([bucket('a'), bucket('b')])) await intake.add(record);
  const all = async () => {
    const texts: string[] = [];
    for await (const { text } of intake.assets()) texts.push(text);
    return texts;
  };
  expect(await all()).toEqual(await all());
  expect(intake.summary().assets).toBe(2);
  await intake.close();
});
