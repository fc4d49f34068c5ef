import { expect, it } from 'vitest';
import { FindingPacker, type FoundFinding } from './pack-findings.ts';

function finding(at: number, message = 'm'): FoundFinding {
  return {
    fingerprint: String.fromCharCode(at & 0xff).repeat(32),
    rule_id: 'rule',
    severity: 'high',
    title: 'title',
    asset_name: `name-${at}`,
    asset_type: 'type',
    subject: '',
    message,
    evidence: '[]',
    asset_labels: '{}',
  };
}

const packer = new FindingPacker();

/** The length of the array is the fourth number of its header. */
const sizes = (findings: readonly FoundFinding[]) =>
  Array.from(packer.packs(findings), ({ id }) => Buffer.from(id).readInt32BE(12));

/** The elements of an array in Postgres' binary format. */
function elementsOf(array: Uint8Array): Buffer[] {
  const bytes = Buffer.from(array);
  const elements: Buffer[] = [];
  for (let at = 20; at < bytes.length; ) {
    const end = at + 4 + bytes.readInt32BE(at);
    elements.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return elements;
}

it('packs contain the columns of findings in their order, and ids that ascend', () => {
  const findings = Array.from({ length: 3_500 }, (_, at) => finding(at, at % 3 === 0 ? 'é' : 'm'));
  const ids: string[] = [];
  const rows: FoundFinding[] = [];
  for (const { id, ...columns } of packer.packs(findings)) {
    ids.push(...elementsOf(id).map((one) => one.toString('hex')));
    const elements = Object.entries(columns).map(
      ([name, array]) =>
        [name, name === 'fingerprint' ? 'binary' : 'utf8', elementsOf(array)] as const,
    );
    for (let at = 0; at < elementsOf(id).length; at += 1) {
      const row = elements.map(([name, encoding, values]) => [
        name,
        values[at]?.toString(encoding),
      ]);
      rows.push(Object.fromEntries(row));
    }
  }
  expect(rows).toEqual(findings);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(3_500);
});

it('findings are packed 3,000 at a time, and no findings give no pack', () => {
  expect(sizes([])).toEqual([]);
  expect(sizes(Array.from({ length: 7_000 }, (_, at) => finding(at)))).toEqual([
    3_000, 3_000, 1_000,
  ]);
});

it('a pack of large findings ends at 2 MiB of text, but has at least one finding', () => {
  const large = 'x'.repeat(900_000);
  expect(sizes([finding(0, large), finding(1, large), finding(2, large)])).toEqual([2, 1]);
  expect(sizes([finding(0, 'x'.repeat(3_000_000)), finding(1)])).toEqual([1, 1]);
});
