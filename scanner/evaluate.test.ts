import { describe, expect, it } from 'vitest';
import { Evaluator } from './evaluate.ts';
import type { JsonValue } from './json.ts';
import { digestOf, type Profile } from './profile.ts';
import { Snapshot } from './snapshot.ts';
import { assetOf, policyOf } from './testing/asset.ts';
import { snapshotOf } from './testing/snapshot.ts';

const context = { now: new Date(0), snapshot: new Snapshot({ assetTypes: new Map() }) };

function profileOf(...rules: Profile['rules']): Profile {
  return { name: 'custom:test', title: 'T', description: 'D', rules, digest: digestOf(rules) };
}

const key = (rotationPeriod: string) =>
  assetOf({
    type: 'cloudkms.googleapis.com/CryptoKey',
    data: { purpose: 'ENCRYPT_DECRYPT', rotationPeriod },
  });

describe('an evaluator', () => {
  it('an evaluator evaluates only the rules of its profile that name the type of the asset', () => {
    const bucket = assetOf({ type: 'storage.googleapis.com/Bucket', data: {} });
    const ids = (profile: Profile) =>
      new Evaluator(profile, context).evaluate(bucket).map(({ ruleId }) => ruleId);
    const rule = (id: string) => ({ id, version: 1, parameters: {} });
    expect(ids(profileOf(rule('bucket-cmek'), rule('bucket-logging')))).toEqual([
      'bucket-cmek',
      'bucket-logging',
    ]);
    expect(ids(profileOf(rule('bucket-cmek'), rule('fw-logging')))).toEqual(['bucket-cmek']);
  });

  it('an evaluator evaluates the policy rules on every asset with a policy', () => {
    const rule = { id: 'iam-deleted-members', version: 1, parameters: {} };
    const other = { id: 'fw-logging', version: 1, parameters: {} };
    const verdictsOf = (profile: Profile, type: string, more: { readonly iamPolicy?: JsonValue }) =>
      new Evaluator(profile, context)
        .evaluate(assetOf({ type, data: {}, ...more }))
        .map(({ ruleId, verdict }) => `${ruleId} ${verdict}`);
    const firewall = 'compute.googleapis.com/Firewall';
    const gone = policyOf('roles/viewer deleted:user:a@b.example?uid=1');
    expect(verdictsOf(profileOf(rule), 'example.com/Thing', { iamPolicy: gone })).toEqual([
      'iam-deleted-members fail',
    ]);
    expect(verdictsOf(profileOf(rule), 'example.com/Thing', {})).toEqual([]);
    expect(verdictsOf(profileOf(rule, other), firewall, { iamPolicy: gone })).toEqual([
      'fw-logging fail',
      'iam-deleted-members fail',
    ]);
    expect(verdictsOf(profileOf(rule, other), firewall, {})).toEqual(['fw-logging fail']);
    expect(verdictsOf(profileOf(rule), 'storage.googleapis.com/Bucket', {})).toEqual([
      'iam-deleted-members unknown',
    ]);
  });

  it('an evaluator gives a rule the parameters of the profile', () => {
    const allowing = (days: number) =>
      new Evaluator(
        profileOf({ id: 'kms-rotation-90d', version: 1, parameters: { days } }),
        context,
      );
    expect(allowing(30).evaluate(key('2592001s'))[0]?.verdict).toBe('fail');
    expect(allowing(31).evaluate(key('2592001s'))[0]?.verdict).toBe('pass');
  });

  it('an evaluator names the content that is missing for a verdict', () => {
    const evaluator = new Evaluator(
      profileOf({ id: 'kms-rotation-90d', version: 1, parameters: {} }),
      context,
    );
    const bare = assetOf({ type: 'cloudkms.googleapis.com/CryptoKey' });
    expect(evaluator.evaluate(bare)).toEqual([
      { ruleId: 'kms-rotation-90d', verdict: 'unknown', findings: [], missing: 'RESOURCE' },
    ]);
  });

  it('the reason of an UNKNOWN verdict has no text that Postgres refuses', () => {
    const metric = assetOf({
      type: 'logging.googleapis.com/LogMetric',
      name: '//logging.googleapis.com/projects/p/metrics/m',
      data: { name: `${'x'.repeat(98)}\0\u{1F600}`, filter: 'x '.repeat(20_000) },
    });
    const [project] = new Evaluator(
      profileOf({ id: 'log-alert-sql', version: 2, parameters: {} }),
      { now: new Date(0), snapshot: snapshotOf([metric]) },
    ).evaluateProjects();
    expect(project?.evaluations[0]?.verdict).toBe('unknown');
    expect(project?.evaluations[0]?.missing).toMatch(/ on the log metric x{98}\uFFFD\uFFFD$/);
  });

  it('an evaluator refuses a profile with an unknown rule or an unknown version of a rule', () => {
    for (const rule of [
      { id: 'no-such-rule', version: 1, parameters: {} },
      { id: 'bucket-cmek', version: 99, parameters: {} },
    ]) {
      expect(() => new Evaluator(profileOf(rule), context)).toThrow(RangeError);
    }
  });
});
