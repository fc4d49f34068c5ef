import { describe, expect, it } from 'vitest';
import { objects } from '../json.ts';
import { planOf } from '../testing/plan.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';
import { assetsOf } from './assets.ts';
import { TerraformReader } from './reader.ts';

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

describe('a plan with a number that is out of range', () => {
  it('a plan with a number that is out of range is refused with its place', () => {
    const reader = new TerraformReader();
    const text = JSON.stringify(planOf({ address: 'google_x.y', values: { a: 1e308 } }));
    reader.push(Buffer.from(text.replace('1e+308', '1e+999')));
    const at = text.indexOf('1e+308') + 1;
    expect(() => [...reader.end()]).toThrow(`The number at column ${at} is out of range`);
  });
});

/** More than fit on the stack as arguments of one call. */
const MANY = 200_000;

describe('a plan with very long lists', () => {
  it('a plan is read if one module has 200,000 child modules', () => {
    const modules = Array.from({ length: MANY }, () => ({}));
    const document = { planned_values: { root_module: { child_modules: modules } } };
    expect(assetsOf(document).records).toEqual([]);
  });

  it('a plan is read if the name of a resource has 200,000 segments', () => {
    const name = 'a/'.repeat(MANY);
    const plan = planOf({ address: 'google_pubsub_topic.t', values: { name, project: 'p' } });
    expect(assetsOf(plan).records).toHaveLength(1);
  });

  it('a plan is read if an expression has 200,000 references', () => {
    const references = Array.from({ length: MANY }, (_, at) => `local.l${at}`);
    const plan = planOf({
      address: 'google_pubsub_topic.t',
      values: { project: 'p' },
      unknown: { name: true },
      expressions: { name: { references } },
    });
    expect(assetsOf(plan).records).toHaveLength(1);
  });

  it('a plan is read if an expression has 200,000 blocks', () => {
    const blocks = Array.from({ length: MANY }, () => ({}));
    const plan = planOf({
      address: 'google_pubsub_topic.t',
      values: { project: 'p' },
      unknown: { name: true },
      expressions: { name: blocks },
    });
    expect(assetsOf(plan).records).toHaveLength(1);
  });
});
