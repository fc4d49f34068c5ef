import { expect, it } from 'vitest';
import { Evaluator } from '../evaluate.ts';
import { resolveProfile } from '../profile.ts';
import { assetOf } from '../testing/asset.ts';
import { NOW } from '../testing/now.ts';
import { snapshotOf } from '../testing/snapshot.ts';

it('the finding on private nodes is true for a cluster whose node pools all have private nodes', () => {
  const rules = (resolveProfile('gke')?.rules ?? []).filter(({ id }) => id === 'gke-private-nodes');
  const asset = assetOf({
    type: 'container.googleapis.com/Cluster',
    data: { nodePools: [{ name: 'a', networkConfig: { enablePrivateNodes: true } }] },
  });
  const evaluator = new Evaluator({ rules }, { now: NOW, snapshot: snapshotOf([asset]) });
  expect(evaluator.evaluate(asset).flatMap(({ findings }) => findings)).toMatchObject([
    { message: 'This cluster does not make its nodes private by default.' },
  ]);
});
