import { describe, expect, it } from 'vitest';
import { Evaluator } from './evaluate.ts';
import type { ContentKind } from './inventory/envelope.ts';
import type { Asset } from './inventory/normalise.ts';
import type { JsonValue } from './json.ts';
import { assetOf } from './testing/asset.ts';
import { snapshotOf } from './testing/snapshot.ts';

const RULE = 'bucket-public-access-prevention';
const ANCESTORS = ['projects/1', 'folders/2', 'organizations/9'];

function bucket(data: JsonValue = {}, ancestors = ANCESTORS, name = 'b'): Asset {
  return assetOf({
    type: 'storage.googleapis.com/Bucket',
    name: `//storage.googleapis.com/${name}`,
    data,
    ancestors,
  });
}

/** An organization policy as a resource, which an inventory contains without ORG_POLICY content. */
function policy(container: string, enforce: boolean): Asset {
  const name = `${container}/policies/storage.publicAccessPrevention`;
  return assetOf({
    type: 'orgpolicy.googleapis.com/Policy',
    name: `//orgpolicy.googleapis.com/${name}`,
    data: { name, spec: { rules: [{ enforce }] } },
    ancestors: [...new Set([container, ...ANCESTORS.slice(ANCESTORS.indexOf(container))])],
  });
}

function verdictOf(asset: Asset, others: Asset[], refusedKinds: readonly ContentKind[]): string {
  const snapshot = snapshotOf([asset, ...others], refusedKinds);
  const rules = [{ id: RULE, version: 1, parameters: {} }];
  const [result] = new Evaluator({ rules }, { now: new Date(0), snapshot }).evaluate(asset);
  return result?.missing == null ? `${result?.verdict}` : `${result.verdict}: ${result.missing}`;
}

describe('a rule on organization policies', () => {
  const enforced = { iamConfiguration: { publicAccessPrevention: 'enforced' } };

  it.each([
    ['there is no setting', bucket(), []],
    ['the project of the bucket is not known', bucket({}, []), [bucket({}, ['projects/7'])]],
    ['only a folder has a setting that prevents', bucket(), [policy('folders/2', true)]],
    ['only a folder has a setting that does not', bucket(), [policy('folders/2', false)]],
  ])(
    'a refusal of organization policies makes the verdict UNKNOWN where %s',
    (_what, asset, others) => {
      expect(verdictOf(asset, others, ['ORG_POLICY'])).toBe('unknown: ORG_POLICY');
    },
  );

  it.each([
    ['the bucket itself prevents', bucket(enforced), [], 'pass'],
    ['the project prevents', bucket(), [policy('projects/1', true)], 'pass'],
    ['the project does not prevent', bucket(), [policy('projects/1', false)], 'fail'],
  ])(
    'a refusal of organization policies does not matter where %s',
    (_what, asset, others, verdict) => {
      expect(verdictOf(asset, others, ['ORG_POLICY'])).toBe(verdict);
    },
  );

  it('an inventory that does not say what was refused is evaluated with what it contains', () => {
    expect(verdictOf(bucket(), [], [])).toBe('fail');
    expect(verdictOf(bucket(), [policy('folders/2', true)], [])).toBe('pass');
    expect(verdictOf(bucket(), [], ['IAM_POLICY'])).toBe('fail');
  });

  it('the ancestors of a bucket name the nearest folder, although no other asset is in its project', () => {
    const other = bucket({}, ['projects/7', 'folders/8', 'organizations/9'], 'other');
    const nearOff = [policy('organizations/9', true), policy('folders/2', false)];
    expect(verdictOf(bucket(), [other, policy('folders/2', true)], [])).toBe('pass');
    expect(verdictOf(bucket(), [other, ...nearOff], [])).toBe('fail');
    expect(verdictOf(other, [bucket(), ...nearOff], [])).toBe('pass');
  });

  it('the verdict on a bucket does not depend on which bucket of its project is evaluated first', () => {
    const [whole, bare] = [bucket(), bucket({}, ['projects/1'], 'bare')];
    const elsewhere = policy('folders/8', false);
    const inventory = [whole, bare, policy('organizations/9', true), elsewhere];
    const verdicts = (order: readonly Asset[]) => {
      const rules = [{ id: RULE, version: 1, parameters: {} }];
      const context = { now: new Date(0), snapshot: snapshotOf(inventory) };
      const evaluator = new Evaluator({ rules }, context);
      return new Map(order.map((one) => [one.name, evaluator.evaluate(one)[0]?.verdict]));
    };
    expect(verdicts([whole, bare])).toEqual(verdicts([bare, whole]));
    expect([...verdicts([whole, bare]).values()]).toEqual(['pass', 'fail']);
  });
});
