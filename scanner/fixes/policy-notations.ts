/** For types of which gcloud has no command for a single grant. */
interface PolicyReplacement {
  /** Prints the policy as JSON. */
  readonly get: string;
  /** Replaces the policy with that in `reduced.json`. */
  readonly set: string;
}

/** How a grant on an asset is removed, by asset type. */
interface PolicyNotation {
  /** The command before `--member` and `--role`, or the commands that read and replace the whole policy. */
  readonly command: string | PolicyReplacement;
  /** The resource of a single grant. */
  readonly terraform: string;
}

const COMPUTE_ZONE = '{name} --zone={zone} --project={project}';
const LOCATED = '{name} --location={location} --project={project}';
const REGIONAL = '{name} --region={region} --project={project}';

const SECRET = 'secretmanager.googleapis.com/Secret';

const NOTATIONS: Readonly<Record<string, readonly [command: string, terraform: string]>> = {
  'artifactregistry.googleapis.com/Repository': [
    `artifacts repositories remove-iam-policy-binding ${LOCATED}`,
    'artifact_registry_repository',
  ],
  'bigtableadmin.googleapis.com/Instance': [
    'bigtable instances remove-iam-policy-binding {name} --project={project}',
    'bigtable_instance',
  ],
  'cloudbilling.googleapis.com/BillingAccount': [
    'billing accounts remove-iam-policy-binding {name}',
    'billing_account',
  ],
  'cloudfunctions.googleapis.com/CloudFunction': [
    `functions remove-iam-policy-binding {name} --region={location} --project={project}`,
    'cloudfunctions_function',
  ],
  'cloudfunctions.googleapis.com/Function': [
    `functions remove-iam-policy-binding {name} --region={location} --project={project}`,
    'cloudfunctions2_function',
  ],
  'cloudkms.googleapis.com/CryptoKey': [
    'kms keys remove-iam-policy-binding {name} --keyring={keyRing} --location={location} --project={project}',
    'kms_crypto_key',
  ],
  'cloudkms.googleapis.com/KeyRing': [
    `kms keyrings remove-iam-policy-binding ${LOCATED}`,
    'kms_key_ring',
  ],
  'cloudresourcemanager.googleapis.com/Folder': [
    'resource-manager folders remove-iam-policy-binding {name}',
    'folder',
  ],
  'cloudresourcemanager.googleapis.com/Organization': [
    'organizations remove-iam-policy-binding {name}',
    'organization',
  ],
  'cloudresourcemanager.googleapis.com/Project': [
    'projects remove-iam-policy-binding {name}',
    'project',
  ],
  'cloudtasks.googleapis.com/Queue': [
    `tasks queues remove-iam-policy-binding ${LOCATED}`,
    'cloud_tasks_queue',
  ],
  'compute.googleapis.com/Disk': [
    `compute disks remove-iam-policy-binding ${COMPUTE_ZONE}`,
    'compute_disk',
  ],
  'compute.googleapis.com/Image': [
    'compute images remove-iam-policy-binding {name} --project={project}',
    'compute_image',
  ],
  'compute.googleapis.com/Instance': [
    `compute instances remove-iam-policy-binding ${COMPUTE_ZONE}`,
    'compute_instance',
  ],
  'compute.googleapis.com/Snapshot': [
    'compute snapshots remove-iam-policy-binding {name} --project={project}',
    'compute_snapshot',
  ],
  'compute.googleapis.com/Subnetwork': [
    `compute networks subnets remove-iam-policy-binding ${REGIONAL}`,
    'compute_subnetwork',
  ],
  'iam.googleapis.com/ServiceAccount': [
    'iam service-accounts remove-iam-policy-binding {name} --project={project}',
    'service_account',
  ],
  'pubsub.googleapis.com/Subscription': [
    'pubsub subscriptions remove-iam-policy-binding {name} --project={project}',
    'pubsub_subscription',
  ],
  'pubsub.googleapis.com/Topic': [
    'pubsub topics remove-iam-policy-binding {name} --project={project}',
    'pubsub_topic',
  ],
  'run.googleapis.com/Job': [
    `run jobs remove-iam-policy-binding {name} --region={location} --project={project}`,
    'cloud_run_v2_job',
  ],
  'run.googleapis.com/Service': [
    `run services remove-iam-policy-binding {name} --region={location} --project={project}`,
    'cloud_run_v2_service',
  ],
  [SECRET]: [
    'secrets remove-iam-policy-binding {name} --project={project}',
    'secret_manager_secret',
  ],
  'spanner.googleapis.com/Database': [
    'spanner databases remove-iam-policy-binding {name} --instance={instance} --project={project}',
    'spanner_database',
  ],
  'spanner.googleapis.com/Instance': [
    'spanner instances remove-iam-policy-binding {name} --project={project}',
    'spanner_instance',
  ],
  'storage.googleapis.com/Bucket': [
    'storage buckets remove-iam-policy-binding gs://{name}',
    'storage_bucket',
  ],
};

/** A regional secret, `projects/p/locations/l/secrets/s`. One of the same name may be global. */
const REGIONAL_SECRET = [
  `secrets remove-iam-policy-binding ${LOCATED}`,
  'secret_manager_regional_secret',
] as const;

const CLUSTER = 'dataproc.googleapis.com/Cluster';

const ON_CLUSTER: PolicyNotation = {
  command: {
    get: `dataproc clusters get-iam-policy ${REGIONAL} --format=json`,
    set: `dataproc clusters set-iam-policy ${REGIONAL} reduced.json`,
  },
  terraform: 'google_dataproc_cluster_iam_member',
};

/** For other types the group of commands remains to be filled in. */
const OTHER = ['{service} remove-iam-policy-binding {name}', '{service}'] as const;

/** @param location null if the name of the asset has none */
export function policyNotationOf(assetType: string, location: string | null): PolicyNotation {
  if (assetType === CLUSTER) return ON_CLUSTER;
  const isRegionalSecret = assetType === SECRET && location !== null;
  const known = Object.hasOwn(NOTATIONS, assetType) ? NOTATIONS[assetType] : undefined;
  const [command, base] = isRegionalSecret ? REGIONAL_SECRET : (known ?? OTHER);
  return {
    command,
    terraform: known === undefined ? 'google_SERVICE_iam_member' : `google_${base}_iam_member`,
  };
}
