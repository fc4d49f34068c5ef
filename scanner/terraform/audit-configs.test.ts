import { describe, expect, it } from 'vitest';
import { child, items, type JsonObject } from '../json.ts';
import { planOf, reference } from '../testing/plan.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';

const VIEWER = { role: 'roles/viewer', members: ['group:a@example.com'] };
const TYPES = ['ADMIN_READ', 'DATA_READ', 'DATA_WRITE'];

const policy = (values: JsonObject) => ({
  address: 'google_project_iam_policy.p',
  values: { project: 'shop', ...values },
});
const policyData = (data: JsonObject) => policy({ policy_data: JSON.stringify(data) });

const member = {
  address: 'google_project_iam_member.m',
  values: { project: 'shop', role: 'roles/viewer', member: 'group:a@example.com' },
};
const auditConfig = (service: string, types: readonly string[]) => ({
  address: 'google_project_iam_audit_config.a',
  values: {
    project: 'shop',
    service,
    audit_log_config: types.map((type) => ({ log_type: type, exempted_members: [] })),
  },
});
const inPolicy = (service: string, types: readonly string[]) => ({
  bindings: [VIEWER],
  auditConfigs: [{ service, auditLogConfigs: types.map((logType) => ({ logType })) }],
});

async function verdictOf(document: JsonObject) {
  return (await verdictsOf(document)).get('iam-audit-config shop');
}

/** A policy from a data source that is read only after apply. */
function planned(audit: JsonObject, unknown: JsonObject = {}): JsonObject {
  const document = planOf({
    ...policy({}),
    unknown: { policy_data: true },
    expressions: { policy_data: reference('data.google_iam_policy.d.policy_data') },
  });
  const source = {
    address: 'data.google_iam_policy.d',
    mode: 'data',
    type: 'google_iam_policy',
    name: 'd',
    values: { binding: [{ role: 'roles/viewer' }], ...audit },
  };
  const after = { actions: ['read'], after_unknown: { binding: [{ members: true }], ...unknown } };
  const root = child(child(document, 'planned_values'), 'root_module');
  return {
    ...document,
    planned_values: { root_module: { resources: [...items(root, 'resources'), source] } },
    resource_changes: [
      ...items(document, 'resource_changes'),
      { address: source.address, mode: 'data', change: after },
    ],
  };
}

describe('the audit configurations of a project in a Terraform plan', () => {
  it.each([
    ['pass', 'all services', planOf(policyData(inPolicy('allServices', TYPES)))],
    ['fail', 'one service', planOf(policyData(inPolicy('storage.googleapis.com', TYPES)))],
    ['fail', 'no service', planOf(policyData({ bindings: [VIEWER] }))],
    ['unknown', 'a list in another form', planOf(policyData({ auditConfigs: [1] }))],
    ['unknown', 'unreadable text', planOf(policy({ policy_data: 'not json' }))],
  ])('audit logs are decided (%s) by a whole policy with %s', async (expected, _what, document) => {
    expect(await verdictOf(document)).toBe(expected);
  });

  it('audit logs stay undecided if the policy is known only after apply', async () => {
    const document = planOf({ ...policy({}), unknown: { policy_data: true } });
    expect(await verdictOf(document)).toBe('unknown');
  });

  it('audit logs are decided by a data source whose bindings are known only after apply', async () => {
    const logs = (types: readonly string[]) => ({
      audit_config: [
        { service: 'allServices', audit_log_configs: types.map((type) => ({ log_type: type })) },
      ],
    });
    expect(await verdictOf(planned(logs(TYPES)))).toBe('pass');
    expect(await verdictOf(planned(logs(['ADMIN_READ'])))).toBe('fail');
    expect(await verdictOf(planned({}))).toBe('fail');
    expect(await verdictOf(planned({}, { audit_config: true }))).toBe('unknown');
    const exempted = { audit_config: [{ audit_log_configs: [{ exempted_members: true }] }] };
    expect(await verdictOf(planned(logs(TYPES), exempted))).toBe('unknown');
  });

  it('audit logs stay undecided if the plan shows only grants of single roles', async () => {
    expect(await verdictOf(planOf(member))).toBe('unknown');
  });

  it('audit logs are decided by the resource for all services, not by the one for a single service', async () => {
    expect(await verdictOf(planOf(member, auditConfig('allServices', TYPES)))).toBe('pass');
    expect(await verdictOf(planOf(member, auditConfig('allServices', ['ADMIN_READ'])))).toBe(
      'fail',
    );
    expect(await verdictOf(planOf(member, auditConfig('storage.googleapis.com', TYPES)))).toBe(
      'unknown',
    );
  });
});
