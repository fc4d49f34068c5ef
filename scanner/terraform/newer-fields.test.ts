import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { InventoryError } from '../inventory/inventory-error.ts';
import { readInventory } from '../inventory/reader.ts';
import type { JsonObject } from '../json.ts';
import { constant, planOf, reference } from '../testing/plan.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';

/** The verdict of a rule on one resource with these values in its configuration. */
async function verdictOn(rule: string, type: string, values: JsonObject, unknown: JsonObject = {}) {
  const named = { name: 'x', location: 'europe-west1', ...values };
  const address = `${type}.x`;
  return (await verdictsOf(planOf({ address, values: named, unknown }))).get(`${rule} x`);
}

const PRIVATE = { enable_private_nodes: true, enable_private_endpoint: true };
const pool = (network: JsonObject) => ({ name: 'p', network_config: [network] });
const dns = (settings: JsonObject) => ({
  private_cluster_config: [PRIVATE],
  control_plane_endpoints_config: [{ dns_endpoint_config: [settings] }],
});
const ip = (enabled: boolean) => ({
  control_plane_endpoints_config: [{ ip_endpoints_config: [{ enabled }] }],
});

describe('a cluster of a Terraform plan', () => {
  const CLUSTER = 'google_container_cluster';

  it.each<[rule: string, verdict: string, values: JsonObject]>([
    ['gke-private-nodes', 'pass', { private_cluster_config: [PRIVATE] }],
    ['gke-private-nodes', 'fail', { private_cluster_config: [{ enable_private_nodes: false }] }],
    [
      'gke-private-nodes',
      'fail',
      { private_cluster_config: [PRIVATE], node_pool: [pool({ enable_private_nodes: false })] },
    ],
    [
      'gke-private-nodes',
      'pass',
      { private_cluster_config: [PRIVATE], node_pool: [pool({ enable_private_nodes: true })] },
    ],
    ['gke-private-endpoint', 'pass', ip(false)],
    ['gke-private-endpoint', 'fail', ip(true)],
    ['gke-private-endpoint', 'pass', dns({ allow_external_traffic: true })],
    [
      'gke-private-endpoint',
      'fail',
      dns({ allow_external_traffic: true, enable_k8s_tokens_via_dns: true }),
    ],
    ['gke-master-authorized-networks', 'pass', ip(false)],
    ['gke-master-authorized-networks', 'fail', ip(true)],
    ['gke-workload-identity', 'pass', { enable_autopilot: true }],
    ['gke-workload-identity', 'fail', { enable_autopilot: false }],
    ['gke-secure-boot', 'na', { enable_autopilot: true }],
  ])(
    'a cluster of a Terraform plan has for %s the verdict %s with %j',
    async (rule, verdict, values) => {
      expect(await verdictOn(rule, CLUSTER, values)).toBe(verdict);
    },
  );

  it.each(['gke-workload-identity', 'gke-network-policy', 'gke-alias-ip', 'gke-secure-boot'])(
    'a cluster of a Terraform plan has no verdict of %s while it is unknown whether it is an Autopilot cluster',
    async (rule) => {
      expect(await verdictOn(rule, CLUSTER, {}, { enable_autopilot: true })).toBe('unknown');
    },
  );

  it('a cluster of a Terraform plan fails if a separate node pool resource has public nodes', async () => {
    const verdicts = await verdictsOf(
      planOf(
        {
          address: `${CLUSTER}.x`,
          values: { name: 'x', location: 'eu', private_cluster_config: [PRIVATE] },
        },
        {
          address: 'google_container_node_pool.p',
          values: { cluster: 'x', location: 'eu', ...pool({ enable_private_nodes: false }) },
        },
      ),
    );
    expect(verdicts.get('gke-private-nodes x')).toBe('fail');
  });

  it('a cluster of a Terraform plan passes with a node pool that leaves its network to the cluster', async () => {
    const verdicts = await verdictsOf(
      planOf(
        {
          address: `${CLUSTER}.x`,
          values: { name: 'x', location: 'eu', private_cluster_config: [PRIVATE] },
        },
        {
          address: 'google_container_node_pool.p',
          values: { name: 'p', cluster: 'x', location: 'eu' },
          unknown: { network_config: true },
          expressions: { name: constant('p'), cluster: constant('x') },
        },
      ),
    );
    expect(verdicts.get('gke-private-nodes x')).toBe('pass');
  });
});

describe('other resources of a Terraform plan', () => {
  it.each([
    [true, 'fail'],
    [false, 'unknown'],
  ])(
    'invoker_iam_disabled %s in a Terraform plan gives run-public the verdict %s',
    async (disabled, verdict) => {
      const values = { invoker_iam_disabled: disabled, ingress: 'INGRESS_TRAFFIC_ALL' };
      expect(await verdictOn('run-public', 'google_cloud_run_v2_service', values)).toBe(verdict);
    },
  );

  it.each([
    [[{ kms_key_name: 'k' }], 'pass'],
    [[{ kms_key: 'k' }], 'pass'],
    [[], 'fail'],
  ])(
    'encryption_config %j in a Terraform plan gives dataproc-cmek the verdict %s',
    async (config, verdict) => {
      const values = { region: 'eu', cluster_config: [{ encryption_config: config }] };
      expect(await verdictOn('dataproc-cmek', 'google_dataproc_cluster', values)).toBe(verdict);
    },
  );

  it('an encryption block that is known only after apply leaves dataproc-cmek undecided', async () => {
    const values = { region: 'eu', cluster_config: [{}] };
    const unknown = { cluster_config: [{ encryption_config: true }] };
    const verdict = await verdictOn('dataproc-cmek', 'google_dataproc_cluster', values, unknown);
    expect(verdict).toBe('unknown');
  });
});

const CHANGES = 'metric.type="logging.googleapis.com/user/changes" AND resource.type="global"';

describe('a log metric of a Terraform plan', () => {
  const verdictOf = async (values: JsonObject, more: JsonObject = {}) => {
    const filter = 'protoPayload.methodName="cloudsql.instances.update"';
    const verdicts = await verdictsOf(
      planOf(
        {
          address: 'google_logging_metric.changes',
          values: { name: 'changes', filter, ...values },
          ...more,
        },
        {
          address: 'google_monitoring_alert_policy.changes',
          values: {
            name: 'changes',
            enabled: true,
            conditions: [{ condition_threshold: [{ filter: CHANGES }] }],
          },
        },
      ),
    );
    return verdicts.get('log-alert-sql shop-prod');
  };

  it.each([
    [{}, 'pass'],
    [{ bucket_name: 'projects/shop-prod/locations/global/buckets/_Required' }, 'pass'],
    [{ bucket_name: 'projects/shop-prod/locations/global/buckets/_Default' }, 'fail'],
    [{ bucket_name: 'projects/shop-prod/locations/eu/buckets/audit' }, 'fail'],
  ])(
    'a log metric of a Terraform plan with %j gives the alert on database changes the verdict %s',
    async (values, verdict) => {
      expect(await verdictOf(values)).toBe(verdict);
    },
  );

  it('a log metric of a Terraform plan leaves the alert undecided while its bucket is known only after apply', async () => {
    const verdict = await verdictOf(
      {},
      {
        unknown: { bucket_name: true },
        expressions: { bucket_name: reference('google_logging_project_bucket_config.b.id') },
      },
    );
    expect(verdict).toBe('unknown');
  });
});

describe('a Terraform plan that is nested 5,000 deep', () => {
  const nested = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const parts = [
    ['in its values', `"values":${nested}`, 'null'],
    ['in what is known after apply', '"values":{}', nested],
  ] as const;

  it.each(parts)(
    'a Terraform plan with %s nested 5,000 deep is refused with the place and the limit',
    async (_where, values, unknown) => {
      const text = `{"format_version":"1.2","planned_values":{"root_module":{"resources":[{"address":"google_storage_bucket.x","mode":"managed","type":"google_storage_bucket","name":"x",${values}}]}},"resource_changes":[{"address":"google_storage_bucket.x","change":{"after_unknown":${unknown}}}]}`;
      const options = { format: 'json', maxBytes: 1e9, maxRecordBytes: 4 << 20 } as const;
      const read = async () => {
        for await (const _record of readInventory(Readable.from([Buffer.from(text)]), options));
      };
      await expect(read()).rejects.toThrow(InventoryError);
      await expect(read()).rejects.toThrow(/^At \/.*more than 64 levels/);
    },
  );
});
