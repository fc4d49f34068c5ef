import { afterEach, describe, expect, it } from 'vitest';
import { INVENTORY_LIMITS } from './limits.ts';
import { assetsIn, type PartitionAsset } from './partition-merge.ts';
import { parseRecord } from './record.ts';
import type { HashSeed } from './seeded-hash.ts';
import { Spill } from './spill.ts';
import { assetKey, partsOf } from './stored-record.ts';

let spill: Spill;

afterEach(() => spill.close());

/** A spill of one partition with these records. */
async function filledWith(records: Iterable<object>, heldBytes = Number.POSITIVE_INFINITY) {
  spill = new Spill({ partitions: 1, heldBytes });
  let line = 0;
  for (const members of records) {
    line += 1;
    const bytes = Buffer.from(JSON.stringify({ asset_type: 's/Type', ...members }));
    await spill.add(0, partsOf(parseRecord({ line, bytes })));
  }
}

async function merged(seed: HashSeed = [1, 2]): Promise<PartitionAsset[]> {
  const found: PartitionAsset[] = [];
  for await (const group of assetsIn(spill, 0, seed)) found.push(...group);
  return found;
}

function* records(count: number, recordOf: (index: number) => object) {
  for (let index = 0; index < count; index += 1) yield recordOf(index);
}

const resource = (index: number) => ({ name: `//s/${index}`, resource: { data: { index } } });
const policy = (index: number) => ({ name: `//s/${index}`, iam_policy: { version: index } });

describe('a partition with more records than fit into one merge', () => {
  const ASSETS = 12_000;

  it.each([
    ['in memory', Number.POSITIVE_INFINITY],
    ['on disk', 64 * 1024],
  ])(
    'a partition too large for one merge is divided again, and gives each asset once with all of its content: %s',
    async (_where, heldBytes) => {
      await filledWith([...records(ASSETS, resource), ...records(ASSETS, policy)], heldBytes);
      const assets = await merged();
      expect(assets).toHaveLength(ASSETS);
      const said = new Map(
        assets.map(({ records: [first], bytes }) => [
          assetKey(first),
          JSON.parse(bytes.toString()),
        ]),
      );
      expect(said.size).toBe(ASSETS);
      expect(said.get('s/Type\0//s/17')).toEqual({
        asset_type: 's/Type',
        ...resource(17),
        ...policy(17),
      });
      expect(assets.flatMap(({ warnings }) => warnings)).toEqual([]);
    },
  );

  it('a partition that is divided gives the assets in an order that its seed determines', async () => {
    await filledWith(records(ASSETS, resource));
    const orderOf = async (seed: HashSeed) =>
      (await merged(seed)).map(({ records: [first] }) => first.name);
    const order = await orderOf([3, 4]);
    expect(await orderOf([3, 4])).toEqual(order);
    expect(await orderOf([5, 6])).not.toEqual(order);
  });

  it('a partition that is divided keeps the order of the records of one asset', async () => {
    await filledWith(
      [...records(ASSETS, resource), { name: '//s/0', resource: { data: { index: 'later' } } }],
      64 * 1024,
    );
    const twice = (await merged()).find(({ records: found }) => found.length === 2);
    expect(twice?.warnings).toMatchObject([{ line: 1 }]);
    expect(twice?.bytes.toString()).toContain('later');
  });
});

describe('an asset over a bound is refused with the line that takes it over,', () => {
  const { assetRecords, assetBytes } = INVENTORY_LIMITS;

  it('an asset with too many records is refused with the line that exceeds the limit', async () => {
    await filledWith(records(assetRecords, () => resource(1)));
    expect(await merged()).toHaveLength(1);
    await filledWith(records(assetRecords + 1, () => resource(1)));
    await expect(merged()).rejects.toMatchObject({
      code: 'too_large',
      place: `line ${assetRecords + 1}`,
    });
  });

  it('an asset with too many bytes is refused with the line that exceeds the limit', async () => {
    const large = { name: '//s/1', resource: { data: 'x'.repeat(assetBytes / 4) } };
    await filledWith(records(3, () => large));
    expect(await merged()).toHaveLength(1);
    await filledWith(records(4, () => large));
    await expect(merged()).rejects.toMatchObject({ code: 'too_large', place: 'line 4' });
  });

  it('the records of one asset are counted although records of other assets are between them', async () => {
    await filledWith(
      records(40_000, (index) => (index % 20 === 0 ? resource(-1) : resource(index))),
      1024 * 1024,
    );
    await expect(merged()).rejects.toMatchObject({ code: 'too_large' });
  });
});
