import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { constant, planOf, reference } from '../testing/plan.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';
import { API_DEFAULTS, NOT_NEEDED, OPEN_DEFAULTS } from './api-defaults.ts';
import { ATTACHED_TYPES } from './attachments.ts';
import { mappingOf } from './mappings.ts';

const FIREWALL_RULES = [
  'fw-ssh-world',
  'fw-rdp-world',
  'fw-all-world',
  'fw-db-ports-world',
  'fw-admin-ports-world',
];

/** A firewall rule that allows SSH from everywhere, in the form of a plan. */
const openSsh = (direction: JsonObject) =>
  planOf({
    address: 'google_compute_firewall.ssh',
    values: {
      name: 'ssh',
      disabled: null,
      source_ranges: ['0.0.0.0/0'],
      allow: [{ protocol: 'tcp', ports: ['22'] }],
      deny: [],
      log_config: [],
    },
    unknown: { direction: true, enable_logging: true, destination_ranges: true, network: true },
    expressions: {
      name: constant('ssh'),
      source_ranges: constant(['0.0.0.0/0']),
      allow: [{ protocol: constant('tcp'), ports: constant(['22']) }],
      ...direction,
    },
  });

const database = (settings: JsonObject, unknown: JsonObject, expressions: JsonObject) =>
  planOf({
    address: 'google_sql_database_instance.db',
    values: { name: 'db', database_version: 'POSTGRES_16', settings: [settings] },
    unknown: {
      instance_type: true,
      master_instance_name: true,
      ip_address: true,
      settings: [unknown],
    },
    expressions: { database_version: constant('POSTGRES_16'), settings: [expressions] },
  });

describe('an attribute that the configuration leaves out', () => {
  it('an omitted Terraform attribute has the default of the API: a firewall rule without a direction is for ingress', async () => {
    const verdicts = await verdictsOf(openSsh({}));
    expect(FIREWALL_RULES.map((rule) => verdicts.get(`${rule} ssh`))).toEqual([
      'fail',
      'pass',
      'pass',
      'pass',
      'pass',
    ]);
  });

  it('a Terraform attribute that is null, or a variable that is null, has the default of the API', async () => {
    for (const direction of [constant(null), { references: ['var.direction'] }]) {
      const verdicts = await verdictsOf(openSsh({ direction }));
      expect(verdicts.get('fw-ssh-world ssh')).toBe('fail');
    }
  });

  it('a Terraform attribute stays undecided if it is set to something known only after apply', async () => {
    const verdicts = await verdictsOf(openSsh({ direction: reference('terraform_data.x.output') }));
    for (const rule of FIREWALL_RULES) expect(verdicts.get(`${rule} ssh`)).toBe('unknown');
  });

  it('a Terraform attribute stays undecided if it is set to a local value, which the plan does not contain', async () => {
    const verdicts = await verdictsOf(openSsh({ direction: { references: ['local.direction'] } }));
    expect(verdicts.get('fw-ssh-world ssh')).toBe('unknown');
  });

  it('an omitted Terraform attribute stays undecided in a document without the configuration', async () => {
    const document = openSsh({});
    const verdicts = await verdictsOf({ ...document, configuration: {} });
    expect(verdicts.get('fw-ssh-world ssh')).toBe('unknown');
  });

  it('omitted Terraform attributes decide backups, addresses and encryption of a database by their defaults', async () => {
    const verdicts = await verdictsOf(
      database(
        { tier: 'db-custom-2-8192', database_flags: [] },
        { ip_configuration: true, backup_configuration: true },
        { tier: constant('db-custom-2-8192') },
      ),
    );
    for (const rule of ['sql-backup', 'sql-pitr', 'sql-public-ip', 'sql-ssl']) {
      expect(verdicts.get(`${rule} db`)).toBe('fail');
    }
    expect(verdicts.get('sql-public-networks db')).toBe('pass');
  });

  it('a Terraform attribute stays undecided inside a dynamic block, whose content the configuration does not list', async () => {
    const verdicts = await verdictsOf(
      database(
        { tier: 'db-custom-2-8192', ip_configuration: [{ ipv4_enabled: true }] },
        { ip_configuration: [{ ssl_mode: true }] },
        { tier: constant('db-custom-2-8192') },
      ),
    );
    expect(verdicts.get('sql-ssl db')).toBe('unknown');
  });

  it('the purpose of a subnetwork is resolved, so its flow logs are evaluated', async () => {
    const verdicts = await verdictsOf(
      planOf({
        address: 'google_compute_subnetwork.apps',
        values: { name: 'apps', region: 'europe-west1', log_config: [] },
        unknown: { purpose: true, enable_flow_logs: true, private_ip_google_access: true },
        expressions: { name: constant('apps') },
      }),
    );
    expect(verdicts.get('subnet-flow-logs apps')).toBe('fail');
    expect(verdicts.get('subnet-private-google-access apps')).toBe('fail');
  });
});

describe('an attribute that refers to another resource of the plan', () => {
  it('a Terraform attribute that refers to another resource counts as set: a bucket with a key of the plan has a key', async () => {
    const verdicts = await verdictsOf(
      planOf(
        {
          address: 'google_kms_crypto_key.key',
          values: { name: 'key', key_ring: 'projects/p/locations/eu/keyRings/r' },
          expressions: { name: constant('key') },
        },
        {
          address: 'google_storage_bucket.files',
          values: { name: 'files', encryption: [{}] },
          unknown: { encryption: [{ default_kms_key_name: true }] },
          expressions: {
            name: constant('files'),
            encryption: [{ default_kms_key_name: reference('google_kms_crypto_key.key.id') }],
          },
        },
      ),
    );
    expect(verdicts.get('bucket-cmek files')).toBe('pass');
  });

  it('a Terraform attribute finds the resource that it refers to: a network is logged by the DNS policy that names it', async () => {
    const network = (name: string) => ({
      address: `google_compute_network.${name}`,
      values: { name },
      expressions: { name: constant(name) },
    });
    const verdicts = await verdictsOf(
      planOf(network('logged'), network('other'), {
        address: 'google_dns_policy.logged',
        values: { name: 'logged', enable_logging: true, networks: [{}] },
        unknown: { networks: [{ network_url: true }] },
        expressions: {
          name: constant('logged'),
          networks: [{ network_url: reference('google_compute_network.logged.id') }],
        },
      }),
    );
    expect(verdicts.get('dns-logging-all-vpcs logged')).toBe('pass');
    expect(verdicts.get('dns-logging-all-vpcs other')).toBe('fail');
  });
});

describe('an instance without settings for Shielded VM', () => {
  const RULE = 'vm-shielded web';
  const values = { name: 'web', zone: 'eu-a', shielded_instance_config: [] };
  const created = { address: 'google_compute_instance.web', values };

  it('a new instance without settings for Shielded VM stays undecided, because its image decides', async () => {
    expect((await verdictsOf(planOf(created))).get(RULE)).toBe('unknown');
  });

  it('an existing instance without settings for Shielded VM has none', async () => {
    const existing = planOf({ ...created, unknown: { id: false } });
    expect((await verdictsOf(existing)).get(RULE)).toBe('fail');
  });

  it('settings for Shielded VM decide the verdict of a new instance', async () => {
    const withConfig = (enable_vtpm: boolean) => ({
      ...created,
      values: {
        ...values,
        shielded_instance_config: [{ enable_vtpm, enable_integrity_monitoring: true }],
      },
    });
    expect((await verdictsOf(planOf(withConfig(true)))).get(RULE)).toBe('pass');
    expect((await verdictsOf(planOf(withConfig(false)))).get(RULE)).toBe('fail');
  });

  it('an instance from a template without settings for Shielded VM stays undecided', async () => {
    const template = {
      address: 'google_compute_instance_template.web',
      values: { machine_type: 'e2-small', shielded_instance_config: [] },
      unknown: { id: false },
      expressions: { machine_type: constant('e2-small') },
    };
    const source = reference('google_compute_instance_template.web.self_link');
    const instance = {
      address: 'google_compute_instance_from_template.web',
      values,
      unknown: { source_instance_template: true },
      expressions: { name: constant('web'), source_instance_template: source },
    };
    expect((await verdictsOf(planOf(template, instance))).get(RULE)).toBe('unknown');
  });
});

describe('an attribute that only the API sets', () => {
  it.each(['project', 'organization'])(
    'a new custom role is decided at the level of its %s although a plan does not know whether it is deleted',
    async (level) => {
      const role = (permission: string) =>
        planOf({
          address: `google_${level}_iam_custom_role.r`,
          values: { role_id: 'r', org_id: '1', title: 'r', permissions: [permission] },
          unknown: { deleted: true, name: true },
          expressions: { role_id: constant('r'), permissions: constant([permission]) },
        });
      const verdict = async (permission: string) =>
        (await verdictsOf(role(permission))).get('iam-custom-role-dangerous r');
      expect(await verdict('iam.serviceAccounts.actAs')).toBe('fail');
      expect(await verdict('storage.objects.get')).toBe('pass');
    },
  );

  it.each([
    [true, 'fail'],
    [false, 'pass'],
  ])('a new cluster with issue_client_certificate = %s is decided: %s', async (issue, expected) => {
    const verdicts = await verdictsOf(
      planOf({
        address: 'google_container_cluster.c',
        values: {
          name: 'c',
          location: 'eu',
          master_auth: [{ client_certificate_config: [{ issue_client_certificate: issue }] }],
        },
        unknown: { master_auth: [{ client_certificate: true, client_key: true }] },
        expressions: {
          name: constant('c'),
          master_auth: [
            { client_certificate_config: [{ issue_client_certificate: constant(issue) }] },
          ],
        },
      }),
    );
    expect(verdicts.get('gke-client-cert c')).toBe(expected);
  });
});

describe('the table of defaults', () => {
  it('the table of Terraform defaults covers only resources that rules evaluate', () => {
    const known = (type: string) =>
      mappingOf(type) !== undefined ||
      ATTACHED_TYPES.has(type) ||
      /^google_compute_(region_)?instance_template$/.test(type);
    const types = [API_DEFAULTS, NOT_NEEDED, OPEN_DEFAULTS].flatMap((table) => Object.keys(table));
    expect(types.filter((type) => !known(type))).toEqual([]);
  });
});
