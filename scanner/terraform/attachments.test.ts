import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { constant, type PlannedResource, planOf, reference } from '../testing/plan.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';

const KEY = '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----';

describe('an instance of a Terraform plan', () => {
  it('an instance of a Terraform plan is evaluated with the startup script of its separate attribute', async () => {
    const verdicts = await verdictsOf(
      planOf({
        address: 'google_compute_instance.batch',
        values: { name: 'batch', zone: 'europe-west1-b', metadata_startup_script: KEY },
      }),
    );
    expect(verdicts.get('vm-metadata-secrets batch')).toBe('fail');
  });

  it('an instance of a Terraform plan is public if the address of its access configuration is known only after apply', async () => {
    const verdicts = await verdictsOf(
      planOf({
        address: 'google_compute_instance.web',
        values: {
          name: 'web',
          zone: 'europe-west1-b',
          network_interface: [{ network: 'vpc', access_config: [{}] }],
        },
        unknown: { network_interface: [{ access_config: [{ nat_ip: true }] }] },
      }),
    );
    expect(verdicts.get('vm-public-ip web')).toBe('fail');
  });
});

describe('an instance that is made from a template', () => {
  const fromTemplate = (source: JsonObject, values: JsonObject = {}) => ({
    address: 'google_compute_instance_from_template.web',
    values: { name: 'web', zone: 'europe-west1-b', ...values },
    unknown: {
      source_instance_template: true,
      network_interface: true,
      metadata: true,
      metadata_startup_script: true,
      service_account: true,
      can_ip_forward: true,
    },
    expressions: { name: constant('web'), source_instance_template: source },
  });
  const template = {
    address: 'google_compute_instance_template.web',
    values: {
      machine_type: 'e2-small',
      can_ip_forward: true,
      metadata_startup_script: KEY,
      network_interface: [{ network: 'vpc', access_config: [{}] }],
    },
    unknown: { self_link: true },
    expressions: { machine_type: constant('e2-small') },
  };

  it('an instance made from a template of the plan has the members of the template that it does not set itself', async () => {
    const source = reference('google_compute_instance_template.web.self_link');
    const verdicts = await verdictsOf(planOf(template, fromTemplate(source)));
    expect(verdicts.get('vm-metadata-secrets web')).toBe('fail');
    expect(verdicts.get('vm-public-ip web')).toBe('fail');
    expect(verdicts.get('vm-ip-forward web')).toBe('fail');
  });

  it('an instance made from a template outside the plan stays undecided', async () => {
    const verdicts = await verdictsOf(planOf(fromTemplate(constant('projects/p/base'))));
    for (const rule of ['vm-metadata-secrets', 'vm-public-ip', 'vm-ip-forward', 'vm-default-sa']) {
      expect(verdicts.get(`${rule} web`)).toBe('unknown');
    }
  });
});

describe('a metadata item of a project in a Terraform plan', () => {
  const item = (key: string, value: string) => ({
    address: `google_compute_project_metadata_item.${key}`,
    values: { project: 'shop', key, value },
  });
  const verdict = async (...resources: readonly PlannedResource[]) =>
    (await verdictsOf(planOf(...resources))).get('project-oslogin shop');

  it('a metadata item of a project decides the rule on its own key', async () => {
    expect(await verdict(item('enable-oslogin', 'TRUE'))).toBe('pass');
    expect(await verdict(item('enable-oslogin', 'FALSE'))).toBe('fail');
    expect(await verdict(item('foo', 'bar'), item('enable-oslogin', 'TRUE'))).toBe('pass');
  });

  it('a metadata item of a project leaves the rules on other keys undecided', async () => {
    expect(await verdict(item('foo', 'bar'))).toBe('unknown');
    const instance = {
      address: 'google_compute_instance.web',
      values: { name: 'web', zone: 'eu-a', project: 'shop' },
      expressions: { name: constant('web') },
    };
    const verdicts = await verdictsOf(planOf(item('foo', 'bar'), instance));
    expect(verdicts.get('vm-oslogin-2fa web')).toBe('unknown');
  });

  it('the whole metadata of a project decides the rules on all keys', async () => {
    const whole = {
      address: 'google_compute_project_metadata.all',
      values: { project: 'shop', metadata: { foo: 'bar' } },
    };
    expect(await verdict(whole)).toBe('fail');
    expect(await verdict(whole, item('foo', 'baz'))).toBe('fail');
  });
});

describe('a node pool of a Terraform plan', () => {
  const pool = (cluster: JsonObject, values: JsonObject = {}) => ({
    address: 'google_container_node_pool.workers',
    values: {
      name: 'workers',
      management: [{ auto_repair: false, auto_upgrade: true }],
      ...values,
    },
    unknown: values['cluster'] === undefined ? { cluster: true } : {},
    expressions: { cluster },
  });

  it('a node pool of a Terraform plan is evaluated alone if its cluster is in another configuration', async () => {
    const verdicts = await verdictsOf(
      planOf(pool(constant('main'), { cluster: 'main', location: 'europe-west1' })),
    );
    expect(verdicts.get('gke-node-auto-repair main')).toBe('fail');
    expect(verdicts.get('gke-node-auto-upgrade main')).toBe('pass');
    expect(verdicts.get('gke-private-nodes main')).toBe('unknown');
    expect(verdicts.get('gke-legacy-abac main')).toBe('unknown');
  });

  it('a node pool of a Terraform plan leaves each cluster undecided to which it may belong', async () => {
    const cluster = (name: string) => ({
      address: `google_container_cluster.${name}`,
      values: { name, location: 'europe-west1', remove_default_node_pool: true },
    });
    const verdicts = await verdictsOf(
      planOf(cluster('a'), cluster('b'), pool({ references: ['local.cluster'] })),
    );
    expect(verdicts.get('gke-node-auto-repair a')).toBe('unknown');
    expect(verdicts.get('gke-node-auto-repair b')).toBe('unknown');
    expect(verdicts.get('gke-legacy-abac a')).toBe('pass');
  });
});

describe('a database or a cluster of a Terraform plan', () => {
  it('a database of a Terraform plan that names its primary is a replica, which needs no backups', async () => {
    const verdicts = await verdictsOf(
      planOf({
        address: 'google_sql_database_instance.replica',
        values: {
          name: 'replica',
          database_version: 'POSTGRES_16',
          master_instance_name: 'primary',
          settings: [{ tier: 'db-custom-2-8192' }],
        },
        unknown: { instance_type: true },
      }),
    );
    expect(verdicts.get('sql-backup replica')).toBe('na');
    expect(verdicts.get('sql-pitr replica')).toBe('na');
  });

  it('a cluster of a Terraform plan has Binary Authorization by the setting of older providers', async () => {
    const cluster = (isOn: boolean) =>
      planOf({
        address: 'google_container_cluster.main',
        values: { name: 'main', location: 'eu', enable_binary_authorization: isOn },
      });
    expect((await verdictsOf(cluster(true))).get('gke-binauthz main')).toBe('pass');
    expect((await verdictsOf(cluster(false))).get('gke-binauthz main')).toBe('fail');
  });

  it('a cluster of a Terraform plan with an empty list of logged components logs nothing', async () => {
    const verdicts = await verdictsOf(
      planOf({
        address: 'google_container_cluster.main',
        values: {
          name: 'main',
          location: 'eu',
          logging_config: [{ enable_components: [] }],
          monitoring_config: [{ enable_components: ['SYSTEM_COMPONENTS'] }],
        },
        unknown: { logging_service: true, monitoring_service: true },
        expressions: { name: constant('main') },
      }),
    );
    expect(verdicts.get('gke-logging main')).toBe('fail');
    expect(verdicts.get('gke-monitoring main')).toBe('pass');
  });
});
