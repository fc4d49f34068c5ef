import { describe, expect, it } from 'vitest';
import type { Rule } from '../rule.ts';
import { CONTEXT, exported, RESOLVED, written } from '../testing/exported.ts';
import type { ExportedFinding } from './exported-finding.ts';
import { sarifOf } from './sarif.ts';
import { describeRule } from './sarif-rule.ts';

async function runOf(findings: readonly ExportedFinding[], pageSize?: number) {
  const log = JSON.parse(await written(sarifOf, findings, pageSize));
  expect(log).toMatchObject({
    version: '2.1.0',
    $schema: expect.stringMatching(/^https:.*2\.1\.0/),
  });
  expect(log.runs).toHaveLength(1);
  return log.runs[0];
}

async function resultOf(said: Partial<ExportedFinding> = {}) {
  return (await runOf([exported(said)])).results[0];
}

async function ruleOf(said: Partial<ExportedFinding> = {}) {
  return (await runOf([exported(said)])).tool.driver.rules[0];
}

describe('findings as SARIF', () => {
  it('findings as SARIF are one run for any number of pages, including none', async () => {
    const findings = ['a', 'b', 'a', 'c', 'b'].map((ruleId) => exported({ ruleId }));
    for (const size of [1, 2, 5]) {
      const { results, tool } = await runOf(findings, size);
      const ids = tool.driver.rules.map(({ id }: { id: string }) => id);
      expect(ids).toEqual(['a', 'b', 'c']);
      expect(results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual([
        'a',
        'b',
        'a',
        'c',
        'b',
      ]);
      for (const { ruleId, ruleIndex } of results) expect(ids[ruleIndex]).toBe(ruleId);
    }
    const empty = await runOf([]);
    expect(empty).toMatchObject({ results: [], tool: { driver: { name: 'cspm', rules: [] } } });
  });

  it('findings as SARIF are results with a location, a stable fingerprint, and all values of the API', async () => {
    expect(await resultOf()).toEqual({
      ruleId: 'bucket-public',
      ruleIndex: 0,
      kind: 'fail',
      level: 'error',
      message: { text: 'allUsers holds roles/storage.objectViewer on this bucket.' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'storage.googleapis.com/shop-uploads' },
            region: { startLine: 1 },
          },
          logicalLocations: [
            {
              name: 'shop-uploads',
              fullyQualifiedName: '//storage.googleapis.com/shop-uploads',
              kind: 'resource',
            },
          ],
        },
      ],
      fingerprints: { 'cspm/v1': 'ab'.repeat(32) },
      partialFingerprints: { primaryLocationLineHash: `${'ab'.repeat(32)}:1` },
      baselineState: 'unchanged',
      suppressions: [],
      properties: {
        id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
        severity: 'high',
        status: 'open',
        delta: 'unchanged',
        project: 'shop-prod',
        assetType: 'storage.googleapis.com/Bucket',
        subject: 'roles/storage.objectViewer allUsers',
        evidence: [{ path: 'iam_policy.bindings[0].members[0]', value: 'allUsers' }],
        remediation: 'Remove the grant.',
        firstSeenAt: '2026-11-01T08:00:00.000Z',
        lastSeenAt: '2026-11-20T08:00:00.000Z',
      },
    });
  });

  it('findings as SARIF describe each rule once, with its remediation and its severity', async () => {
    const rule = CONTEXT.ruleOf('bucket-public');
    expect(await ruleOf()).toMatchObject({
      id: 'bucket-public',
      name: 'BucketPublic',
      shortDescription: { text: 'Bucket is public' },
      fullDescription: { text: rule?.description },
      help: { text: expect.stringContaining(rule?.remediation ?? 'none') },
      helpUri: 'https://cspm.example/rules/bucket-public',
      defaultConfiguration: { level: 'error' },
      properties: {
        tags: expect.arrayContaining(['security', 'storage', 'cis-gcp-4.0/5.1']),
        'security-severity': '8.0',
      },
    });
  });

  it('a custom rule without a description is described in SARIF by its title', async () => {
    const bare = { ...CONTEXT.ruleOf('bucket-public'), description: '' } as Rule;
    expect(describeRule(exported(), { ...CONTEXT, ruleOf: () => bare })).toMatchObject({
      fullDescription: { text: bare.title },
      help: { text: expect.stringMatching(/^\S/) },
    });
  });

  it('a deleted rule is described in SARIF by the texts of its finding', async () => {
    const said = { ruleId: 'gone-rule', severity: 'info', remediation: '' } as const;
    const rule = await ruleOf(said);
    expect(rule).toMatchObject({ id: 'gone-rule', shortDescription: { text: 'Bucket is public' } });
    expect(rule).not.toHaveProperty('help');
    expect(rule.properties).not.toHaveProperty('security-severity');
  });

  it.each<[ExportedFinding['severity'], string]>([
    ['critical', 'error'],
    ['high', 'error'],
    ['medium', 'warning'],
    ['low', 'note'],
    ['info', 'note'],
  ])('the severity %s becomes the level %s in SARIF', async (severity, level) => {
    expect(await resultOf({ severity })).toMatchObject({ level });
  });

  it.each<[ExportedFinding['delta'], string]>([
    ['new', 'new'],
    ['reopened', 'new'],
    ['unchanged', 'unchanged'],
  ])('the delta %s becomes the baseline state %s in SARIF', async (delta, baselineState) => {
    expect(await resultOf({ delta })).toMatchObject({ baselineState, properties: { delta } });
  });

  it('resolved findings as SARIF have the state absent, with time and reason', async () => {
    const { status, resolvedAt, resolvedReason } = RESOLVED;
    const properties = { status, resolvedAt, resolvedReason };
    expect(await resultOf(RESOLVED)).toMatchObject({ baselineState: 'absent', properties });
  });

  it('muted findings as SARIF are suppressed with the reason; all others have an empty list of suppressions', async () => {
    const muted = { reason: 'A static site', expiresAt: '2027-01-01T00:00:00.000Z' };
    const { results } = await runOf([exported({ muted }), exported()]);
    expect(results[0].suppressions).toEqual([
      {
        kind: 'external',
        status: 'accepted',
        justification: 'A static site',
        properties: { expiresAt: muted.expiresAt },
      },
    ]);
    expect(results[1].suppressions).toEqual([]);
  });

  it.each([
    ['//s/a b', 's/a%20b'],
    ['//s/a:b', 's/a%3Ab'],
    ['a:b/c', 'a%3Ab/c'],
    ['//s/../../etc/passwd', 's/_/_/etc/passwd'],
    ['//s//x/', 's/x/_'],
    ['//s/日本?#', 's/%E6%97%A5%E6%9C%AC%3F%23'],
    ['//s/\ud800', 's/%EF%BF%BD'],
    ['', '_'],
  ])('an asset with the name %j has the relative location %s in SARIF', async (name, uri) => {
    const { locations } = await resultOf({ asset: { name, type: 't' } });
    expect(locations[0].physicalLocation.artifactLocation).toEqual({ uri });
    expect(new URL(uri, 'https://base.example/x/').href).toBe(`https://base.example/x/${uri}`);
  });

  it('placeholders and links in names are escaped in SARIF', async () => {
    const { message } = await resultOf({ message: 'See {0} and [here](https://evil.example)' });
    expect(message.text).toBe('See {{0}} and [here] (https://evil.example)');
  });
});
