import {
  isObject,
  items,
  type JsonObject,
  type JsonValue,
  objects,
  strings,
  text,
} from '../json.ts';
import { UNKNOWN } from './document.ts';

/** A resource that grants something on another one, as far as it is known. */
export interface Grant {
  /** The asset type of what it is on. */
  readonly assetType: string;
  /** The name, id or path of what it is on; null where that is known after apply only. */
  readonly target: string | null;
  readonly bindings: readonly JsonObject[];
  readonly auditConfigs: readonly JsonObject[];
}

interface Base {
  readonly assetType: string;
  /** The attribute that names what the policy is on. */
  readonly attribute: string;
}

/** `google_<base>_iam_policy`, `_binding`, `_member` and `_audit_config`. */
const BASES: Readonly<Record<string, Base>> = {
  project: { assetType: 'cloudresourcemanager.googleapis.com/Project', attribute: 'project' },
  folder: { assetType: 'cloudresourcemanager.googleapis.com/Folder', attribute: 'folder' },
  organization: {
    assetType: 'cloudresourcemanager.googleapis.com/Organization',
    attribute: 'org_id',
  },
  storage_bucket: { assetType: 'storage.googleapis.com/Bucket', attribute: 'bucket' },
  kms_crypto_key: { assetType: 'cloudkms.googleapis.com/CryptoKey', attribute: 'crypto_key_id' },
  kms_key_ring: { assetType: 'cloudkms.googleapis.com/KeyRing', attribute: 'key_ring_id' },
  secret_manager_secret: {
    assetType: 'secretmanager.googleapis.com/Secret',
    attribute: 'secret_id',
  },
  pubsub_topic: { assetType: 'pubsub.googleapis.com/Topic', attribute: 'topic' },
  pubsub_subscription: {
    assetType: 'pubsub.googleapis.com/Subscription',
    attribute: 'subscription',
  },
  cloudfunctions_function: {
    assetType: 'cloudfunctions.googleapis.com/CloudFunction',
    attribute: 'cloud_function',
  },
  cloudfunctions2_function: {
    assetType: 'cloudfunctions.googleapis.com/Function',
    attribute: 'cloud_function',
  },
  cloud_run_service: { assetType: 'run.googleapis.com/Service', attribute: 'service' },
  cloud_run_v2_service: { assetType: 'run.googleapis.com/Service', attribute: 'name' },
  artifact_registry_repository: {
    assetType: 'artifactregistry.googleapis.com/Repository',
    attribute: 'repository',
  },
  bigquery_dataset: { assetType: 'bigquery.googleapis.com/Dataset', attribute: 'dataset_id' },
  bigquery_table: { assetType: 'bigquery.googleapis.com/Table', attribute: 'table_id' },
  compute_image: { assetType: 'compute.googleapis.com/Image', attribute: 'image' },
  service_account: {
    assetType: 'iam.googleapis.com/ServiceAccount',
    attribute: 'service_account_id',
  },
};

/** What an IAM resource of Terraform grants; null for a resource that is none, or on something we have no rules for. */
export function grantOf(type: string, values: JsonObject): Grant | null {
  const parts = /^google_(\w+?)_iam_(policy|binding|member|audit_config)$/.exec(type);
  const base = parts?.[1] === undefined ? undefined : BASES[parts[1]];
  if (base === undefined) return null;
  const target = text(values, base.attribute);
  return {
    assetType: base.assetType,
    target: target === UNKNOWN ? null : target,
    bindings: parts?.[2] === 'audit_config' ? [] : bindingsOf(values),
    auditConfigs: parts?.[2] === 'audit_config' ? [auditConfigOf(values)] : [],
  };
}

function bindingsOf(values: JsonObject): readonly JsonObject[] {
  const data = values['policy_data'];
  if (typeof data === 'string') return data === UNKNOWN ? [unknownBinding()] : policyIn(data);
  const members: readonly JsonValue[] =
    values['members'] === UNKNOWN
      ? [UNKNOWN]
      : values['member'] === undefined
        ? items(values, 'members')
        : [values['member']];
  const [condition] = objects(values, 'condition');
  return [{ role: values['role'] ?? UNKNOWN, members, ...(condition && { condition }) }];
}

function unknownBinding(): JsonObject {
  return { role: UNKNOWN, members: [UNKNOWN] };
}

/** The data source `google_iam_policy` writes the policy as the API has it. */
function policyIn(json: string): readonly JsonObject[] {
  try {
    const policy: JsonValue = JSON.parse(json);
    return isObject(policy) ? objects(policy, 'bindings') : [];
  } catch {
    return [unknownBinding()];
  }
}

function auditConfigOf(values: JsonObject): JsonObject {
  return {
    service: values['service'] ?? UNKNOWN,
    auditLogConfigs: objects(values, 'audit_log_config').map((config) => ({
      logType: config['log_type'] ?? UNKNOWN,
      exemptedMembers: strings(config, 'exempted_members'),
    })),
  };
}

/** A role for everyone by an access list of Cloud Storage: `role_entity`, or an entity of its own. */
export function bucketAclOf(
  type: string,
  values: JsonObject,
): { readonly bucket: string | null; readonly member: string; readonly acl: JsonObject[] } | null {
  const bucket = text(values, 'bucket');
  const list = ACLS[type];
  if (list === undefined) return null;
  const single = text(values, 'entity');
  const acl =
    single === null
      ? strings(values, 'role_entity').map(entityOf)
      : [{ role: values['role'] ?? UNKNOWN, entity: single }];
  return { bucket: bucket === UNKNOWN ? null : bucket, member: list, acl };
}

const ACLS: Readonly<Record<string, string>> = {
  google_storage_bucket_acl: 'acl',
  google_storage_bucket_access_control: 'acl',
  google_storage_default_object_acl: 'defaultObjectAcl',
  google_storage_default_object_access_control: 'defaultObjectAcl',
};

/** `READER:allUsers` */
function entityOf(pair: string): JsonObject {
  const colon = pair.indexOf(':');
  return colon === -1
    ? { role: UNKNOWN, entity: UNKNOWN }
    : { role: pair.slice(0, colon), entity: pair.slice(colon + 1) };
}
