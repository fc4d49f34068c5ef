import { expect, it } from 'vitest';
import { Evaluator } from '../evaluate.ts';
import { resolveProfile } from '../profile.ts';
import { assetOf } from '../testing/asset.ts';
import { snapshotOf } from '../testing/snapshot.ts';

it('a finding on an environment variable shows its name and never its value', () => {
  const profile = resolveProfile('serverless');
  if (profile === undefined) throw new Error('There is no profile named serverless.');
  const value = 'correct horse battery staple';
  const asset = assetOf({
    type: 'cloudfunctions.googleapis.com/CloudFunction',
    data: { environmentVariables: { DB_PASSWORD: value } },
  });
  const evaluator = new Evaluator(profile, { now: new Date(0), snapshot: snapshotOf([asset]) });
  const evaluation = evaluator.evaluate(asset).find(({ ruleId }) => ruleId === 'fn-env-secrets');
  expect(evaluation?.findings).toMatchObject([
    { evidence: [{ path: 'environmentVariables', value: 'DB_PASSWORD' }] },
  ]);
  expect(JSON.stringify(evaluation)).not.toContain(value);
});
