import { describe, expect, it } from 'vitest';
import { parseAsset } from '../inventory/normalise.ts';
import type { JsonObject } from '../json.ts';
import { planOf, reference } from '../testing/plan.ts';
import { recordsOf, verdictsOf } from '../testing/plan-verdicts.ts';
import { assetsOf } from './assets.ts';

const database = (ip: JsonObject, unknown: JsonObject = {}) =>
  planOf({
    address: 'google_sql_database_instance.db',
    values: {
      name: 'db',
      project: null,
      region: 'europe-west1',
      database_version: 'POSTGRES_16',
      settings: [
        {
          tier: 'db-custom-2-8192',
          database_flags: [{ name: 'log_connections', value: 'on' }],
          ip_configuration: [ip],
          backup_configuration: [{ enabled: true, point_in_time_recovery_enabled: true }],
        },
      ],
    },
    unknown: { settings: [{ ip_configuration: [unknown] }] },
  });

describe('a Terraform plan', () => {
  it('a Terraform plan gives each asset the name that the inventory will have, in the project of its provider', async () => {
    const [record] = await recordsOf(database({ ipv4_enabled: false }));
    expect(record).toMatchObject({
      name: '//sqladmin.googleapis.com/projects/shop-prod/instances/db',
      type: 'sqladmin.googleapis.com/Instance',
      kinds: ['RESOURCE'],
    });
    expect(parseAsset(record?.text ?? '').ancestors).toEqual(['projects/shop-prod']);
  });

  it('a Terraform plan is evaluated as the resources that it would create', async () => {
    const open = await verdictsOf(
      database({
        ipv4_enabled: true,
        ssl_mode: 'ALLOW_UNENCRYPTED_AND_ENCRYPTED',
        authorized_networks: [{ name: 'all', value: '0.0.0.0/0' }],
      }),
    );
    expect(open.get('sql-ssl db')).toBe('fail');
    expect(open.get('sql-public-networks db')).toBe('fail');
    const closed = await verdictsOf(
      database({ ipv4_enabled: false, ssl_mode: 'ENCRYPTED_ONLY', authorized_networks: [] }),
    );
    expect(closed.get('sql-ssl db')).toBe('pass');
    expect(closed.get('sql-public-networks db')).toBe('pass');
  });

  it('a Terraform plan leaves a rule undecided, and never passed, if a value is known only after apply', async () => {
    const verdicts = await verdictsOf(
      database(
        { ipv4_enabled: false, authorized_networks: [] },
        { ssl_mode: true, require_ssl: true },
      ),
    );
    expect(verdicts.get('sql-ssl db')).toBe('unknown');
    expect(verdicts.get('sql-public-networks db')).toBe('pass');
  });

  it('a Terraform plan is evaluated with the policies, access lists, node pools and metadata of separate resources', async () => {
    const verdicts = await verdictsOf(
      planOf(
        {
          address: 'google_storage_bucket.site',
          values: {
            name: 'site',
            location: 'EU',
            uniform_bucket_level_access: true,
            public_access_prevention: 'inherited',
            versioning: [{ enabled: true }],
          },
        },
        {
          address: 'google_storage_bucket_iam_member.everyone',
          values: { bucket: 'site', role: 'roles/storage.objectViewer', member: 'allUsers' },
        },
        {
          address: 'google_container_cluster.main',
          values: {
            name: 'main',
            location: 'europe-west1',
            remove_default_node_pool: true,
            enable_legacy_abac: true,
            private_cluster_config: [
              { enable_private_nodes: true, enable_private_endpoint: false },
            ],
          },
        },
        {
          address: 'google_container_node_pool.workers',
          values: {
            name: 'workers',
            node_config: [{ service_account: 'nodes@shop-prod.iam.gserviceaccount.com' }],
            management: [{ auto_repair: true, auto_upgrade: false }],
          },
          unknown: { cluster: true },
          expressions: { cluster: reference('google_container_cluster.main.id') },
        },
      ),
    );
    expect(verdicts.get('bucket-public site')).toBe('fail');
    expect(verdicts.get('bucket-uniform-access site')).toBe('pass');
    expect(verdicts.get('gke-legacy-abac main')).toBe('fail');
    expect(verdicts.get('gke-node-auto-upgrade main')).toBe('fail');
    expect(verdicts.get('gke-node-auto-repair main')).toBe('pass');
    expect(verdicts.get('gke-default-sa main')).toBe('pass');
  });

  it('a Terraform plan with a grant to an unknown member leaves the rule undecided', async () => {
    const verdicts = await verdictsOf(
      planOf(
        {
          address: 'google_storage_bucket.site',
          values: { name: 'site', uniform_bucket_level_access: true },
        },
        {
          address: 'google_storage_bucket_iam_member.robot',
          values: { bucket: 'site', role: 'roles/storage.objectViewer' },
          unknown: { member: true },
        },
      ),
    );
    expect(verdicts.get('bucket-public site')).toBe('unknown');
  });

  it('a Terraform plan spells firewalls, instances, zones and keys as their APIs do', async () => {
    const verdicts = await verdictsOf(
      planOf(
        {
          address: 'google_compute_firewall.ssh',
          values: {
            name: 'ssh',
            direction: 'INGRESS',
            disabled: false,
            source_ranges: ['0.0.0.0/0'],
            allow: [{ protocol: 'tcp', ports: ['22'] }],
            deny: [],
            log_config: [],
          },
        },
        {
          address: 'google_compute_instance.web',
          values: {
            name: 'web',
            zone: 'europe-west1-b',
            metadata: { 'serial-port-enable': 'true', 'block-project-ssh-keys': 'true' },
            network_interface: [{ network: 'default', access_config: [{ nat_ip: '' }] }],
            service_account: [{ email: 'web@shop-prod.iam.gserviceaccount.com', scopes: [] }],
            shielded_instance_config: [{ enable_vtpm: true, enable_integrity_monitoring: true }],
          },
        },
        {
          address: 'google_dns_managed_zone.shop',
          values: { name: 'shop', visibility: 'public', dnssec_config: [{ state: 'off' }] },
        },
        {
          address: 'google_kms_crypto_key.data',
          values: { name: 'data', purpose: 'ENCRYPT_DECRYPT', rotation_period: '31536000s' },
          unknown: { key_ring: true, primary: true },
        },
      ),
    );
    expect(verdicts.get('fw-ssh-world ssh')).toBe('fail');
    expect(verdicts.get('vm-public-ip web')).toBe('fail');
    expect(verdicts.get('dns-dnssec shop')).toBe('fail');
    expect(verdicts.get('kms-rotation-90d data')).toBe('fail');
  });

  it('a Terraform plan lists each resource that is left out, with its type and the reason', () => {
    const { records, skipped } = assetsOf(
      planOf(
        { address: 'google_monitoring_dashboard.ops', values: {} },
        { address: 'google_iam_deny_policy.no', values: {} },
        { address: 'random_id.suffix', values: {} },
      ),
    );
    expect(records).toEqual([]);
    expect(skipped).toEqual([
      {
        address: 'google_monitoring_dashboard.ops',
        type: 'google_monitoring_dashboard',
        reason: 'no rule examines this type of resource',
      },
      {
        address: 'google_iam_deny_policy.no',
        type: 'google_iam_deny_policy',
        reason: 'restricts what roles allow; it grants none',
      },
      {
        address: 'random_id.suffix',
        type: 'random_id',
        reason: 'is not a resource of the Google provider',
      },
    ]);
  });

  it('a Terraform plan that stopped with an error is reported as incomplete', () => {
    const { skipped } = assetsOf({ ...planOf(), errored: true });
    expect(skipped).toEqual([
      {
        address: '*',
        type: 'plan',
        reason: 'Terraform failed while it created this plan',
      },
    ]);
  });
});

/** A firewall rule, a network and a cluster with the same names in each module; `dev` is open to the internet. */
const inProjectsUnknown = (...modules: readonly string[]) =>
  modules.flatMap((module) => {
    const isOpen = module === 'module.dev';
    return [
      {
        address: 'google_compute_firewall.ssh',
        module,
        values: {
          name: 'allow-ssh',
          allow: [{ protocol: 'tcp', ports: ['22'] }],
          source_ranges: [isOpen ? '0.0.0.0/0' : '10.0.0.0/8'],
        },
        unknown: { project: true },
      },
      {
        address: 'google_compute_network.vpc',
        module,
        values: { name: 'default' },
        unknown: { project: true },
      },
      {
        address: 'google_container_cluster.main',
        module,
        values: { name: 'main', project: 'shop-prod', enable_legacy_abac: isOpen },
        unknown: { location: true },
      },
      {
        address: 'google_pubsub_topic.events',
        module,
        values: { name: 'events' },
        unknown: { project: true },
      },
    ];
  });

describe('resources of a plan with the same name in projects that are known after apply only', () => {
  it('resources with the same name in different unknown projects or places are separate assets, in any order', async () => {
    for (const modules of [
      ['module.dev', 'module.prod'],
      ['module.prod', 'module.dev'],
    ]) {
      const verdicts = await verdictsOf(planOf(...inProjectsUnknown(...modules)));
      const verdictOf = (rule: string, name: string) => verdicts.get(`${rule} ${name}`);
      const firewalls = (module: string) =>
        `//compute.googleapis.com/projects/${module}.google_compute_firewall.ssh/global/firewalls/allow-ssh`;
      expect(verdictOf('fw-ssh-world', firewalls('module.dev'))).toBe('fail');
      expect(verdictOf('fw-ssh-world', firewalls('module.prod'))).toBe('pass');
      expect([...verdicts.keys()].filter((key) => /^net-default .*\//.test(key))).toHaveLength(2);
      expect(
        [...verdicts].filter(([key]) => /^gke-legacy-abac .*\//.test(key)).map(([, one]) => one),
      ).toEqual(modules.map((module) => (module === 'module.dev' ? 'fail' : 'pass')));
    }
  });

  it('a resource in an unknown project whose name no other resource has keeps its name', async () => {
    const records = await recordsOf(planOf(...inProjectsUnknown('module.dev')));
    expect(records.map(({ name }) => name)).toEqual([
      '//compute.googleapis.com/projects/-/global/firewalls/allow-ssh',
      '//compute.googleapis.com/projects/-/global/networks/default',
      '//container.googleapis.com/projects/shop-prod/locations/module.dev.google_container_cluster.main/clusters/main',
      '//pubsub.googleapis.com/projects/-/topics/events',
    ]);
  });

  it('a grant on one of two resources with the same name in unknown projects leaves both undecided', async () => {
    const verdicts = await verdictsOf(
      planOf(...inProjectsUnknown('module.dev', 'module.prod'), {
        address: 'google_pubsub_topic_iam_member.public',
        module: 'module.dev',
        values: { topic: 'events', role: 'roles/pubsub.subscriber', member: 'allUsers' },
        unknown: { project: true },
      }),
    );
    const ofTopics = [...verdicts].filter(([key]) => /^topic-public .*\//.test(key));
    expect(ofTopics.map(([, verdict]) => verdict)).toEqual(['unknown', 'unknown']);
  });

  it('two resources with the same known name leave the rules undecided on which they differ', async () => {
    const bucket = (module: string, isUniform: boolean) => ({
      address: 'google_storage_bucket.site',
      module,
      values: {
        name: 'site',
        uniform_bucket_level_access: isUniform,
        versioning: [{ enabled: true }],
      },
    });
    const verdicts = await verdictsOf(
      planOf(bucket('module.dev', false), bucket('module.prod', true)),
    );
    expect(verdicts.get('bucket-uniform-access site')).toBe('unknown');
    expect(verdicts.get('bucket-versioning site')).toBe('pass');
  });
});

describe('a Terraform state', () => {
  it('a Terraform state is evaluated like a plan without unknown values', async () => {
    const verdicts = await verdictsOf({
      format_version: '1.0',
      terraform_version: '1.9.8',
      values: {
        root_module: {
          resources: [
            {
              address: 'google_storage_bucket.logs',
              mode: 'managed',
              type: 'google_storage_bucket',
              values: { name: 'logs', project: 'p', uniform_bucket_level_access: false },
            },
            { address: 'data.google_project.p', mode: 'data', type: 'google_project', values: {} },
          ],
        },
      },
    });
    expect(verdicts.get('bucket-uniform-access logs')).toBe('fail');
  });
});

describe('a JSON object that is not of Terraform', () => {
  it('a JSON object that is not from Terraform is refused with the accepted kinds', async () => {
    await expect(recordsOf({ name: 'x', asset_type: 'y' })).rejects.toThrow(
      'an array of assets, or the output of `terraform show -json`',
    );
  });
});
