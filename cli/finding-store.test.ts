import { describe, expect, it } from 'vitest';
import { FindingStore } from './finding-store.ts';
import type { Severity } from './severity.ts';

function finding(severity: Severity, ruleId: string, name: string) {
  return {
    fingerprint: 'ab'.repeat(32),
    ruleId,
    title: 'A title',
    severity,
    status: 'open' as const,
    delta: 'new' as const,
    project: 'export.ndjson',
    asset: { name, type: 'x.com/Thing' },
    subject: '',
    message: 'Line separators \u2028 \u2029 \u0085 \r\n and quotes " stay as they are.',
    evidence: [],
    remediation: '',
    compliance: [],
    firstSeenAt: '2026-11-22T08:00:00.000Z',
    lastSeenAt: '2026-11-22T08:00:00.000Z',
    resolvedAt: null,
    resolvedReason: null,
    muted: null,
  };
}

async function given(store: FindingStore) {
  const all = [];
  for await (const page of store.pages()) all.push(...page);
  return all;
}

describe('FindingStore', () => {
  const ADDED = [
    finding('low', 'b', '2'),
    finding('critical', 'c', '1'),
    finding('low', 'a', '9'),
    finding('low', 'b', '1'),
    finding('high', 'a', '1'),
  ];

  it('FindingStore returns findings sorted by severity, rule and asset', async () => {
    const store = new FindingStore();
    for (const one of ADDED) await store.add(one);
    const order = (await given(store)).map((one) => [one.severity, one.ruleId, one.asset.name]);
    expect(order).toEqual([
      ['critical', 'c', '1'],
      ['high', 'a', '1'],
      ['low', 'a', '9'],
      ['low', 'b', '1'],
      ['low', 'b', '2'],
    ]);
  });

  it('FindingStore returns every finding unchanged after spilling to disk', async () => {
    const store = new FindingStore(1_000);
    const many = Array.from({ length: 50 }, () => ADDED).flat();
    for (const one of many) await store.add(one);
    const all = await given(store);
    expect(all).toHaveLength(250);
    expect(all.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => ADDED[1]));
    expect(all.at(-1)?.severity).toBe('low');
    await store.close();
  });
});
