import { describe, expect, it } from 'vitest';
import { digestOf, PROFILE_NAMES, resolveProfile } from './profile.ts';
import { RULES } from './rules/catalogue.ts';

const idsOf = (name: string) => resolveProfile(name)?.rules.map(({ id }) => id) ?? [];

describe('a profile', () => {
  it('every listed profile resolves, with rules in the order of their ids', () => {
    expect(PROFILE_NAMES).toContain('full');
    for (const name of PROFILE_NAMES) {
      const ids = idsOf(name);
      expect(ids.length).toBeGreaterThan(0);
      expect(ids).toEqual(ids.toSorted());
    }
  });

  it('the profile full has every rule in its version and with its parameters', () => {
    expect(resolveProfile('full')?.rules).toEqual(
      RULES.map(({ id, version, parameters }) => ({ id, version, parameters })),
    );
  });

  it('an alias of a profile resolves to its target, under the name of the target', () => {
    expect(resolveProfile('cis-gcp')).toBe(resolveProfile('cis-gcp-4.0'));
    expect(resolveProfile('cis-gcp')?.name).toBe('cis-gcp-4.0');
    expect(resolveProfile('quick')?.name).toBe('critical');
    expect(PROFILE_NAMES).toEqual(expect.arrayContaining(['cis-gcp', 'quick']));
  });

  it.each(['', 'Full', 'custom:mine', '__proto__', 'constructor'])(
    'the profile %j does not exist, or has no rule yet',
    (name) => {
      expect(resolveProfile(name)).toBeUndefined();
      expect(PROFILE_NAMES).not.toContain(name);
    },
  );

  it('a profile of a CIS version holds the rules that are mapped to it', () => {
    expect(idsOf('cis-gcp-4.0')).toContain('fw-ssh-world');
    expect(idsOf('cis-gcp-4.0')).not.toContain('fw-all-world');
    expect(idsOf('cis-gcp-2.0')).toEqual(idsOf('cis-gcp-4.0'));
  });

  it('the profile critical has the rules with the severity critical or high', () => {
    const severe = RULES.filter(({ severity }) => severity === 'critical' || severity === 'high');
    expect(idsOf('critical')).toEqual(severe.map(({ id }) => id));
    expect(idsOf('critical')).toContain('bucket-public');
    const projects = RULES.filter((rule) => 'evaluateProject' in rule).map(({ id }) => id);
    expect(idsOf('critical').filter((id) => projects.includes(id))).toEqual([]);
  });

  it('the profile public-exposure has the rules about access from the internet or by everyone', () => {
    expect(idsOf('public-exposure')).toEqual([
      'ar-repo-public',
      'bq-dataset-public',
      'bucket-public',
      'bucket-public-access-prevention',
      'fn-public',
      'fw-admin-ports-world',
      'fw-all-world',
      'fw-db-ports-world',
      'fw-rdp-world',
      'fw-ssh-world',
      'gke-private-endpoint',
      'gke-private-nodes',
      'iam-public-project',
      'image-public',
      'kms-public',
      'run-public',
      'secret-public',
      'snapshot-public',
      'sql-public-ip',
      'sql-public-networks',
      'subscription-public',
      'topic-public',
      'vm-public-ip',
    ]);
  });

  it('the profiles of the categories have all rules, each those of its category', () => {
    const categories = [
      'iam',
      'network',
      'storage',
      'compute',
      'database',
      'kms',
      'logging',
      'gke',
      'serverless',
    ];
    expect(categories.flatMap(idsOf).toSorted()).toEqual(RULES.map(({ id }) => id));
  });
});

describe('the digest of a profile', () => {
  const a = { id: 'a', version: 1, parameters: { days: 90, nested: { x: 1, y: [1, 2] } } };
  const b = { id: 'b', version: 1, parameters: {} };

  it('the digest of a profile is SHA-256 in hex over its rules only', () => {
    expect(resolveProfile('full')?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(resolveProfile('full')?.digest).toBe(digestOf(resolveProfile('full')?.rules ?? []));
  });

  it('the digest of a profile does not depend on the order of the rules or of their parameters', () => {
    const turned = { ...a, parameters: { nested: { y: [1, 2], x: 1 }, days: 90 } };
    expect(digestOf([b, turned])).toBe(digestOf([a, b]));
  });

  it.each([
    ['a rule less', [a]],
    ['another version', [{ ...a, version: 2 }, b]],
    ['another parameter', [{ ...a, parameters: { ...a.parameters, days: 30 } }, b]],
    [
      'another order in a list',
      [{ ...a, parameters: { days: 90, nested: { x: 1, y: [2, 1] } } }, b],
    ],
  ])('the digest of a profile differs for %s', (_what, rules) => {
    expect(digestOf(rules)).not.toBe(digestOf([a, b]));
  });
});
