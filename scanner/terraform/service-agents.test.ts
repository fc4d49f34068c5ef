import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { constant, planOf, reference } from '../testing/plan.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';

interface Referred {
  /** The attribute with the account, as in an expression. */
  readonly attribute: string;
  readonly values?: JsonObject;
  readonly unknown?: JsonObject;
}

/** The verdicts on a project in which an attribute of a resource of the same plan, known after apply, gets a role. */
async function verdictsWith(type: string, referred: Referred, role: string) {
  const address = `${type}.x`;
  const first = referred.attribute.replace(/[.[].*$/, '');
  const verdicts = await verdictsOf(
    planOf(
      {
        address,
        values: { name: 'x', ...referred.values },
        unknown: referred.unknown ?? { [first]: true },
        expressions: { name: constant('x') },
      },
      {
        address: 'google_project_iam_member.m',
        values: { project: 'shop', role },
        unknown: { member: true },
        expressions: {
          project: constant('shop'),
          role: constant(role),
          member: {
            references: [`${address}.${referred.attribute}`, `${address}.${first}`, address],
          },
        },
      },
    ),
  );
  const rules = ['iam-primitive-roles', 'iam-sa-admin-privileges', 'iam-default-sa-editor'];
  return rules.map((rule) => verdicts.get(`${rule} shop`));
}

describe('a grant to a service account that only apply makes known', () => {
  it.each<[string, Referred]>([
    [
      'google_compute_instance',
      {
        attribute: 'service_account[0].email',
        values: { service_account: [{ scopes: [] }] },
        unknown: { service_account: [{ email: true }] },
      },
    ],
    ['google_workflows_workflow', { attribute: 'service_account' }],
    ['google_cloudfunctions_function', { attribute: 'service_account_email' }],
    [
      'google_logging_project_sink',
      {
        attribute: 'writer_identity',
        values: { unique_writer_identity: true, custom_writer_identity: 'serviceAccount:a@b.c' },
      },
    ],
    [
      'google_logging_project_sink',
      { attribute: 'writer_identity', values: { unique_writer_identity: false } },
    ],
  ])(
    'a grant of owner or editor stays undecided for the account in %s: %o',
    async (type, referred) => {
      for (const role of ['roles/owner', 'roles/editor']) {
        expect((await verdictsWith(type, referred, role)).slice(0, 2)).toEqual([
          'unknown',
          'unknown',
        ]);
      }
      expect((await verdictsWith(type, referred, 'roles/editor')).at(2)).toBe('unknown');
      expect(await verdictsWith(type, referred, 'roles/viewer')).toEqual(['pass', 'pass', 'pass']);
    },
  );

  it.each<[string, Referred]>([
    ['google_project_service_identity', { attribute: 'email' }],
    ['google_project_service_identity', { attribute: 'member' }],
    ['google_sql_database_instance', { attribute: 'service_account_email_address' }],
    [
      'google_logging_project_sink',
      { attribute: 'writer_identity', values: { unique_writer_identity: true } },
    ],
    ['google_logging_folder_sink', { attribute: 'writer_identity' }],
    ['google_scc_v2_organization_notification_config', { attribute: 'service_account' }],
  ])('a grant of editor passes for the service agent in %s: %o', async (type, referred) => {
    expect(await verdictsWith(type, referred, 'roles/editor')).toEqual(['pass', 'pass', 'pass']);
  });

  it('a grant of owner or editor stays undecided for a member with the number of a project, whose text the plan omits', async () => {
    const referred = { attribute: 'number', values: { project_id: 'shop' } };
    for (const role of ['roles/owner', 'roles/editor']) {
      const verdicts = await verdictsWith('google_project', referred, role);
      expect(verdicts.slice(0, 2)).toEqual(['unknown', 'unknown']);
    }
    expect(await verdictsWith('google_project', referred, 'roles/viewer')).toEqual([
      'pass',
      'pass',
      'pass',
    ]);
  });

  it('grants to two members with the number of a project may be to one account or to two', async () => {
    const grant = (name: string, role: string) => ({
      address: `google_project_iam_member.${name}`,
      values: { project: 'shop', role },
      unknown: { member: true },
      expressions: { project: constant('shop'), member: reference('google_project.p.number') },
    });
    const project = {
      address: 'google_project.p',
      values: { project_id: 'shop', name: 'shop' },
      unknown: { number: true },
      expressions: { project_id: constant('shop') },
    };
    const verdicts = await verdictsOf(
      planOf(
        project,
        grant('admin', 'roles/iam.serviceAccountAdmin'),
        grant('user', 'roles/iam.serviceAccountUser'),
      ),
    );
    expect(verdicts.get('iam-sa-separation-of-duties shop')).toBe('unknown');
    expect(verdicts.get('iam-sa-user-project-level shop')).toBe('fail');
    expect(verdicts.get('iam-public-project shop')).toBe('pass');
  });
});
