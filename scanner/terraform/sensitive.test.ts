import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../json.ts';
import { PlanComparison } from '../plan-comparison.ts';
import { resolveProfile } from '../profile.ts';
import { constant, planOf, reference } from '../testing/plan.ts';
import { recordsOf, verdictsOf } from '../testing/plan-verdicts.ts';
import { planStatesOf } from './plan-states.ts';
import { hideSensitive, SENSITIVE } from './sensitive.ts';

const SECRET = 'hunter2';

const FIREWALL = {
  address: 'google_compute_firewall.ssh',
  values: {
    name: 'ssh',
    network: 'default',
    direction: 'INGRESS',
    source_ranges: ['0.0.0.0/0'],
    allow: [{ protocol: 'tcp', ports: ['22'] }],
    description: SECRET,
  },
  sensitive: { description: true },
};
const OWNER = {
  address: 'google_project_iam_member.owner',
  values: { project: 'p', role: 'roles/owner', member: `user:${SECRET}@gmail.com` },
  sensitive: { member: true },
};
const POLICY = {
  address: 'google_pubsub_topic_iam_policy.t',
  values: {
    topic: 'events',
    policy_data: JSON.stringify({ bindings: [{ role: 'r', members: [`user:${SECRET}@b.ch`] }] }),
  },
  sensitive: { policy_data: true },
};
const DATABASE = {
  address: 'google_sql_database_instance.db',
  values: {
    name: 'db',
    database_version: 'POSTGRES_15',
    root_password: SECRET,
    settings: [
      {
        ip_configuration: [{ ipv4_enabled: true, authorized_networks: [{ value: '0.0.0.0/0' }] }],
        database_flags: [{ name: 'log_connections', value: SECRET }],
      },
    ],
  },
  sensitive: { root_password: true, settings: [{ database_flags: [{ value: true }] }] },
};
const FUNCTION = {
  address: 'google_cloudfunctions_function.f',
  values: {
    name: 'f',
    runtime: 'nodejs22',
    environment_variables: { DB_PASSWORD: SECRET, MODE: SECRET },
  },
  sensitive: { environment_variables: { DB_PASSWORD: true, MODE: true } },
};
const NAMED = {
  address: 'google_storage_bucket.named',
  values: { name: SECRET, location: 'EU' },
  sensitive: { name: true },
};
const ALL = [FIREWALL, OWNER, POLICY, DATABASE, FUNCTION, NAMED];

async function storedText(document: JsonObject): Promise<string> {
  return (await recordsOf(document)).map(({ text }) => text).join('\n');
}

/** The plan with marks in only one of the two places that Terraform has for them. */
function without(plan: JsonObject, member: 'sensitive_values' | 'after_sensitive'): JsonObject {
  return JSON.parse(JSON.stringify(plan, (name, value) => (name === member ? undefined : value)));
}

describe('a sensitive text of a Terraform document', () => {
  it('a sensitive text of a Terraform plan is not in what is stored, in whichever place it is marked', async () => {
    const plan = planOf(...ALL);
    for (const document of [
      plan,
      without(plan, 'sensitive_values'),
      without(plan, 'after_sensitive'),
    ]) {
      const stored = await storedText(document);
      expect(stored).toContain('firewalls/ssh');
      expect(stored).not.toContain(SECRET);
    }
  });

  it('a sensitive text of a Terraform state is not in what is stored', async () => {
    const { planned_values: values, format_version } = planOf(...ALL);
    const stored = await storedText({ format_version, values } as JsonObject);
    expect(stored).toContain('firewalls/ssh');
    expect(stored).not.toContain(SECRET);
  });

  it('a sensitive text is not in the assets before apply of a plan that changes, keeps or deletes them', () => {
    for (const actions of [['update'], ['delete', 'create'], ['no-op'], ['delete']]) {
      const plan = planOf(...ALL);
      const changes = (plan['resource_changes'] as JsonObject[]).map((one, at) => ({
        ...one,
        change: {
          actions,
          before: ALL[at]?.values ?? null,
          after: null,
          before_sensitive: ALL[at]?.sensitive ?? {},
          after_sensitive: actions[0] === 'no-op' ? (ALL[at]?.sensitive ?? {}) : false,
        },
      }));
      const isDeleted = actions.length === 1 && actions[0] === 'delete';
      const states = planStatesOf({
        ...without(plan, actions[0] === 'no-op' ? 'sensitive_values' : 'after_sensitive'),
        ...(isDeleted && { planned_values: {} }),
        resource_changes: changes as unknown as JsonValue,
      });
      expect(JSON.stringify(states)).toContain('firewalls/ssh');
      expect(JSON.stringify(states)).not.toContain(SECRET);
    }
  });

  it('a sensitive text is not in the findings and open verdicts of a compared plan', () => {
    const profile = resolveProfile('full');
    if (profile === undefined) throw new Error('There is no profile named full.');
    const now = new Date('2026-11-20T08:00:00Z');
    const { added, undecided } = new PlanComparison(planOf(...ALL), { profile, own: [], now });
    expect(added.map(({ finding }) => finding.ruleId)).toContain('fw-ssh-world');
    expect(undecided.map(({ ruleId }) => ruleId)).toContain('iam-primitive-roles');
    expect(JSON.stringify([added, undecided])).not.toContain(SECRET);
  });
});

describe('the verdict on an asset with sensitive values', () => {
  it('the verdict on an asset with sensitive values stays the same for rules that do not read them', async () => {
    const verdicts = await verdictsOf(planOf(...ALL));
    expect(verdicts.get('fw-ssh-world ssh')).toBe('fail');
    expect(verdicts.get('sql-public-ip db')).toBe('fail');
  });

  it('the verdict on an asset is open for rules that read a sensitive value', async () => {
    const verdicts = await verdictsOf(planOf(...ALL));
    expect(verdicts.get('sql-pg-log-connections db')).toBe('unknown');
    expect(verdicts.get('iam-primitive-roles p')).toBe('unknown');
  });

  it('the verdict on an asset with a sensitive setting is not that of the default of the API', async () => {
    const bucket = {
      address: 'google_storage_bucket.b',
      values: { name: 'b', location: 'EU', public_access_prevention: 'enforced' },
      expressions: { name: constant('b'), public_access_prevention: reference('var.prevention') },
    };
    const rule = 'bucket-public-access-prevention b';
    expect((await verdictsOf(planOf(bucket))).get(rule)).toBe('pass');
    const sensitive = { public_access_prevention: true };
    expect((await verdictsOf(planOf({ ...bucket, sensitive }))).get(rule)).toBe('unknown');
  });

  it('the verdict on a function fails for a sensitive variable whose name indicates a secret', async () => {
    const values = { ...FUNCTION.values, environment_variables: { DB_PASSWORD: SECRET } };
    const sensitive = { environment_variables: { DB_PASSWORD: true } };
    const plan = planOf({ ...FUNCTION, values, sensitive });
    expect((await verdictsOf(plan)).get('fn-env-secrets f')).toBe('fail');
    expect(await storedText(plan)).toContain('"DB_PASSWORD":"(sensitive value)"');
  });
});

describe('hideSensitive', () => {
  it('hideSensitive keeps numbers, booleans, nulls and empty values', () => {
    const values = { a: 1, b: false, c: null, d: '', e: [], f: {}, g: 'x', h: ['x'], i: { x: 1 } };
    expect(hideSensitive(values, true)).toEqual({
      ...values,
      ...{ g: SENSITIVE, h: SENSITIVE, i: SENSITIVE },
    });
  });

  it('hideSensitive ignores marks in another shape than the values', () => {
    const values = { a: [{ b: 'x' }], c: { d: 'x' } };
    for (const marks of [undefined, null, false, 5, [true], { a: { b: true }, c: [true] }]) {
      expect(hideSensitive(values, marks)).toEqual(values);
    }
  });
});
