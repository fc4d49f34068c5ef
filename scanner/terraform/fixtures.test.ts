import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { verdictsOf } from '../testing/plan-verdicts.ts';
import { assetsOf } from './assets.ts';

/**
 * Outputs of `terraform show -json` of Terraform 1.11.4; scanner/testing/plans/README.md describes how to create them.
 */
function fixture(name: string): JsonObject {
  const file = new URL(`../testing/generated/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** OpenTofu writes the same format, with another provider registry. */
function byOpenTofu(document: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(document).replaceAll('registry.terraform.io', 'registry.opentofu.org'),
  );
}

/**
 * Plans of provider versions 4 and 5: the addresses of service accounts are known only after apply; resources have
 * effective labels from version 5 on.
 */
function byProvider(major: 4 | 5, document: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(document), (_name, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    if (major === 4) {
      delete value.effective_labels;
      delete value.terraform_labels;
    }
    if (value.type === 'google_service_account') {
      for (const values of [value.values, value.change?.after]) {
        delete values?.email;
        delete values?.member;
      }
      if (value.change !== undefined) {
        Object.assign(value.change.after_unknown, { email: true, member: true });
      }
    }
    if (value.type !== 'google_container_node_pool' || value.change === undefined) return value;
    for (const [at, config] of (value.change.after.node_config ?? []).entries()) {
      delete config.service_account;
      value.change.after_unknown.node_config[at].service_account = true;
    }
    return value;
  });
}

const PROJECT = 'projects/shop-prod';

/** The expected verdicts for the plan scanner/testing/plans/estate. */
const ESTATE = {
  // Nested modules: the bucket's name reaches the grant through an output and two variables.
  'bucket-public module.storage.google_storage_bucket.this': 'fail',
  // A module with for_each: the grant names one instance.
  'bucket-public module.eu["open"].google_storage_bucket.this': 'fail',
  'bucket-public module.eu["closed"].google_storage_bucket.this': 'unknown',
  // for_each: each grant is on the bucket of its own key.
  'bucket-public google_storage_bucket.each["site"]': 'fail',
  'bucket-public google_storage_bucket.each["logs"]': 'pass',
  // count: topics with the same name in two projects.
  'topic-public //pubsub.googleapis.com/projects/team-0/topics/events': 'pass',
  'topic-public //pubsub.googleapis.com/projects/team-1/topics/events': 'fail',
  // Defaults of the API.
  'fw-ssh-world ssh': 'fail',
  'fw-rdp-world ssh': 'pass',
  'fw-all-world ssh': 'pass',
  'fw-db-ports-world ssh': 'pass',
  'fw-admin-ports-world ssh': 'pass',
  'subnet-flow-logs apps': 'fail',
  'sql-backup primary': 'fail',
  'sql-pitr primary': 'fail',
  'sql-ssl primary': 'fail',
  'sql-public-ip primary': 'fail',
  'sql-backup replica': 'na',
  'sql-pitr replica': 'na',
  // References.
  'dns-logging-all-vpcs vpc': 'pass',
  'bq-dataset-cmek facts': 'pass',
  'bq-dataset-public facts': 'fail',
  [`kms-rotation-90d //cloudkms.googleapis.com/${PROJECT}/locations/europe/keyRings/ring/cryptoKeys/key`]:
    'pass',
  'gke-default-sa main': 'pass',
  'gke-node-auto-repair other': 'fail',
  'gke-private-nodes other': 'unknown',
  'iam-primitive-roles google_project.team': 'fail',
  'iam-external-members google_project.team': 'fail',
  [`iam-external-members //spanner.googleapis.com/${PROJECT}/instances/orders`]: 'fail',
  // Templates and startup scripts.
  'vm-metadata-secrets batch': 'fail',
  'vm-metadata-secrets web': 'fail',
  'vm-public-ip web': 'fail',
  'vm-public-ip unknown': 'unknown',
};

async function verdictsAmong(document: JsonObject, expected: object) {
  const verdicts = await verdictsOf(document);
  return Object.fromEntries(Object.keys(expected).map((key) => [key, verdicts.get(key)]));
}

describe('a plan of modules, count, for_each, references and defaults', () => {
  it('a plan of modules written by Terraform has the expected verdicts', async () => {
    expect(await verdictsAmong(fixture('provider-6-estate.plan'), ESTATE)).toEqual(ESTATE);
  });

  it('a plan of modules written by OpenTofu has the same verdicts', async () => {
    const document = byOpenTofu(fixture('provider-6-estate.plan'));
    expect(await verdictsAmong(document, ESTATE)).toEqual(ESTATE);
  });

  it('a plan of modules has the same verdicts with versions 4 and 5 of the provider, except for alias addresses', async () => {
    for (const [major, aliases] of [
      [4, 'fail'],
      [5, 'pass'],
    ] as const) {
      const expected = { ...ESTATE, 'gke-alias-ip main': aliases };
      const document = byProvider(major, fixture('provider-6-estate.plan'));
      expect(await verdictsAmong(document, expected)).toEqual(expected);
    }
  });

  it('a plan of modules lists what was left out', () => {
    const { skipped } = assetsOf(fixture('provider-6-estate.plan'));
    expect(skipped.map(({ address }) => address)).toEqual([
      'google_compute_instance_template.web',
      'google_compute_router.nat',
      'terraform_data.suffix',
    ]);
  });
});

/** The bucket and the firewall rule exist, and are unchanged. */
const MOVED = {
  'bucket-public shop-files': 'fail',
  'bucket-uniform-access shop-files': 'fail',
  'bucket-versioning shop-files': 'pass',
  'fw-ssh-world ssh': 'fail',
};

describe('a state, and a plan of moved blocks that was made with -refresh=false', () => {
  it('a Terraform state is evaluated as it is, and counts a node pool once if its cluster lists it too', async () => {
    const expected = {
      ...MOVED,
      'gke-node-auto-upgrade main': 'fail',
      'gke-secure-boot main': 'pass',
    };
    expect(await verdictsAmong(fixture('provider-6-moved.state'), expected)).toEqual(expected);
    const cluster = assetsOf(fixture('provider-6-moved.state')).records.find(
      ({ asset_type }) => asset_type === 'container.googleapis.com/Cluster',
    );
    expect(cluster).toMatchObject({ resource: { data: { nodePools: [{ name: 'workers' }] } } });
  });

  it('a plan of moved blocks without refresh is evaluated with the new address and the values of the state', async () => {
    expect(await verdictsAmong(fixture('provider-6-moved.plan'), MOVED)).toEqual(MOVED);
  });
});
