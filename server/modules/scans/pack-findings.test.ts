import { expect, it } from 'vitest';
import type { SeenFinding } from '../findings/index.ts';
import { packFindings } from './pack-findings.ts';

function finding(at: number, message = 'm'): SeenFinding {
  return {
    id: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    fingerprint: String(at).padStart(64, '0'),
    rule_id: 'rule',
    severity: 'high',
    title: 'title',
    asset_name: 'name',
    asset_type: 'type',
    subject: '',
    message,
    evidence: '[]',
    asset_labels: '{}',
  };
}

/** The length of the array is the fourth number of its header. */
const sizes = (findings: readonly SeenFinding[]) =>
  [...packFindings(findings)].map(({ id }) => Buffer.from(id).readInt32BE(12));

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
