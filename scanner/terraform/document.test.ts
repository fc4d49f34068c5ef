import { describe, expect, it } from 'vitest';
import { objects } from '../json.ts';
import { planOf } from '../testing/plan.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';

describe('a plan with a deposed object', () => {
  it('a deposed object does not hide values of its successor that are known only after apply', async () => {
    const plan = planOf({
      address: 'google_compute_firewall.ssh',
      values: {
        name: 'ssh',
        network: 'default',
        direction: 'INGRESS',
        source_ranges: ['0.0.0.0/0'],
      },
      unknown: { allow: true },
    });
    const changes = objects(plan, 'resource_changes');
    const deposed = changes.map((change) => ({
      ...change,
      deposed: 'abcd1234',
      change: { actions: ['delete'], before: {}, after: null, after_unknown: {} },
    }));
    for (const all of [changes, [...changes, ...deposed], [...deposed, ...changes]]) {
      const verdicts = await verdictsOf({ ...plan, resource_changes: all });
      expect(verdicts.get('fw-ssh-world ssh')).toBe('unknown');
    }
  });
});
