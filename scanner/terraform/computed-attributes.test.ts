import { describe, expect, it } from 'vitest';
import { MEMBER_ATTRIBUTES } from '../testing/terraform-attributes.ts';
import { NOT_NEEDED } from './api-defaults.ts';

/**
 * Attributes that only the API sets, so a plan never knows them for a new resource, from the provider's documentation of
 * August 2026 ("Attributes Reference"), as far as rules may read them. Empty: rules do not need it. Otherwise the reason why
 * it may stay unknown.
 */
const COMPUTED_ONLY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  google_bigquery_table: { type: 'The mapping infers it from the blocks of the table.' },
  google_cloudfunctions2_function: { environment: '' },
  google_compute_disk: { 'disk_encryption_key.sha256': 'The mapping infers it from the key.' },
  google_compute_region_ssl_policy: { enabled_features: '' },
  google_compute_ssl_policy: { enabled_features: '' },
  google_container_cluster: { 'master_auth.client_certificate': '' },
  google_folder: { name: 'It only connects assets with those above.' },
  google_organization_iam_custom_role: { deleted: '' },
  google_project: { number: 'It only connects assets with their project.' },
  google_project_iam_custom_role: { deleted: '' },
  google_service_account_key: { valid_after: 'A key has no age before it is made.' },
  google_sql_database_instance: { 'ip_address.ip_address': '', 'ip_address.type': '' },
  google_storage_bucket: { project_number: '' },
};

describe('an attribute of a Terraform resource that only the API sets', () => {
  it.each(
    Object.entries(COMPUTED_ONLY).flatMap(([type, attributes]) =>
      Object.entries(attributes).map(([name, reason]) => [type, name, reason] as const),
    ),
  )(
    'a new %s leaves no verdict open for its attribute %s, unless there is a reason',
    (type, name, reason) => {
      expect(Object.values(MEMBER_ATTRIBUTES[type] ?? {})).toContain(name);
      const isNotNeeded = NOT_NEEDED[type]?.some(
        (path) => name === path || name.startsWith(`${path}.`),
      );
      expect(
        isNotNeeded === true,
        'List it in NOT_NEEDED in scanner/terraform/api-defaults.ts, or give the reason here',
      ).toBe(reason === '');
    },
  );

  it('every attribute that rules do not need is one that only the API sets', () => {
    const listed = Object.entries(NOT_NEEDED).flatMap(([type, paths]) =>
      paths.map((path) => `${type} ${path}`),
    );
    const computed = Object.entries(COMPUTED_ONLY).flatMap(([type, names]) =>
      Object.keys(names).map((name) => `${type} ${name}`),
    );
    expect(
      listed.filter((one) => !computed.some((name) => name === one || name.startsWith(`${one}.`))),
    ).toEqual([]);
  });
});
