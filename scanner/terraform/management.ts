import { isObject, isTrue, type JsonObject, type JsonValue } from '../json.ts';
import { UNKNOWN } from './document.ts';
import { defined, type Mapping } from './mapping.ts';

const SINK = { assetType: 'logging.googleapis.com/LogSink' } as const;

function project(data: JsonObject): JsonObject {
  return defined({ ...data, projectNumber: data['number'], number: undefined });
}

/** An API that the configuration enables; disabled ones are not in the plan. */
function service(data: JsonObject): JsonObject {
  const name = data['service'];
  return defined({ name, config: defined({ name }), state: 'ENABLED' });
}

function provider(data: JsonObject): JsonObject {
  return defined({ ...data, state: isTrue(data, 'disabled') ? undefined : 'ACTIVE' });
}

/** A service account key that Terraform creates or uploads is user-managed. */
function serviceAccountKey(data: JsonObject): JsonObject {
  return defined({
    keyType: 'USER_MANAGED',
    keyOrigin: data['publicKeyData'] === undefined ? 'GOOGLE_PROVIDED' : 'USER_PROVIDED',
    validAfterTime: data['validAfter'],
  });
}

/** The provider writes TRUE and FALSE. */
const ENFORCED: Readonly<Record<string, boolean>> = { TRUE: true, FALSE: false };

function organizationPolicy({ name, spec }: JsonObject): JsonObject {
  if (!isObject(spec)) return defined({ name, spec });
  const rules = spec['rules'];
  if (!Array.isArray(rules)) return defined({ name, spec });
  return defined({ name, spec: { ...spec, rules: rules.map(enforcementOf) } });
}

function enforcementOf(rule: JsonValue): JsonValue {
  if (!isObject(rule)) return rule;
  const enforce = ENFORCED[String(rule['enforce']).toUpperCase()] ?? rule['enforce'];
  return defined({ ...rule, enforce });
}

/** The resources of the first version of the API, in the form of the second. */
function formerOrganizationPolicy(data: JsonObject): JsonObject {
  const { constraint, booleanPolicy, restorePolicy } = data;
  // Rules read the end of the name only; the name of the asset has the container.
  const id = String(constraint).replace(/^constraints\//, '');
  const name = constraint === UNKNOWN ? UNKNOWN : `policies/${id}`;
  const rules = isObject(booleanPolicy)
    ? [defined({ enforce: booleanPolicy['enforced'] })]
    : booleanPolicy;
  const reset = isObject(restorePolicy) ? restorePolicy['default'] : restorePolicy;
  return defined({ name, spec: defined({ rules, reset }) });
}

const FORMER_POLICY = {
  assetType: 'orgpolicy.googleapis.com/Policy',
  form: { single: ['boolean_policy', 'restore_policy'] },
  reshape: formerOrganizationPolicy,
} as const;

export const MANAGEMENT: Readonly<Record<string, Mapping>> = {
  google_project: {
    assetType: 'cloudresourcemanager.googleapis.com/Project',
    path: 'projects/{project_id}',
    reshape: project,
  },
  google_project_service: {
    assetType: 'serviceusage.googleapis.com/Service',
    path: 'projects/{project}/services/{service}',
    reshape: service,
  },
  google_logging_project_sink: { ...SINK, path: 'projects/{project}/sinks/{name}' },
  google_logging_folder_sink: { ...SINK, path: 'folders/{folder}/sinks/{name}' },
  google_logging_billing_account_sink: {
    ...SINK,
    path: 'billingAccounts/{billing_account}/sinks/{name}',
  },
  google_folder: {
    assetType: 'cloudresourcemanager.googleapis.com/Folder',
    path: 'folders/{folder_id}',
  },
  google_org_policy_policy: {
    assetType: 'orgpolicy.googleapis.com/Policy',
    path: '{name}',
    form: { single: ['spec', 'condition'] },
    reshape: organizationPolicy,
  },
  google_project_organization_policy: {
    ...FORMER_POLICY,
    path: 'projects/{project}/policies/{constraint}',
  },
  google_folder_organization_policy: {
    ...FORMER_POLICY,
    path: 'folders/{folder}/policies/{constraint}',
  },
  google_organization_policy: {
    ...FORMER_POLICY,
    path: 'organizations/{org_id}/policies/{constraint}',
  },
  google_logging_organization_sink: { ...SINK, path: 'organizations/{org_id}/sinks/{name}' },
  google_logging_metric: {
    assetType: 'logging.googleapis.com/LogMetric',
    path: 'projects/{project}/metrics/{name}',
    form: { single: ['metric_descriptor'] },
  },
  google_monitoring_alert_policy: {
    assetType: 'monitoring.googleapis.com/AlertPolicy',
    path: 'projects/{project}/alertPolicies/{name}',
    form: {
      single: [
        'condition_threshold',
        'condition_absent',
        'condition_matched_log',
        'condition_monitoring_query_language',
        'condition_prometheus_query_language',
      ],
    },
  },
  google_project_iam_custom_role: {
    assetType: 'iam.googleapis.com/Role',
    path: 'projects/{project}/roles/{role_id}',
    form: { renamed: { permissions: 'includedPermissions' } },
  },
  google_organization_iam_custom_role: {
    assetType: 'iam.googleapis.com/Role',
    path: 'organizations/{org_id}/roles/{role_id}',
    form: { renamed: { permissions: 'includedPermissions' } },
  },
  google_service_account: {
    assetType: 'iam.googleapis.com/ServiceAccount',
    path: 'projects/{project}/serviceAccounts/{email}',
  },
  google_service_account_key: {
    assetType: 'iam.googleapis.com/ServiceAccountKey',
    path: 'projects/{project}/serviceAccounts/{service_account_id}/keys/{name}',
    reshape: serviceAccountKey,
  },
  google_iam_workload_identity_pool_provider: {
    assetType: 'iam.googleapis.com/WorkloadIdentityPoolProvider',
    path: 'projects/{project}/locations/global/workloadIdentityPools/{workload_identity_pool_id}/providers/{workload_identity_pool_provider_id}',
    form: { single: ['oidc', 'aws', 'saml'], maps: ['attribute_mapping'] },
    reshape: provider,
  },
  google_apikeys_key: {
    assetType: 'apikeys.googleapis.com/Key',
    path: 'projects/{project}/locations/global/keys/{name}',
    form: {
      single: [
        'restrictions',
        'browser_key_restrictions',
        'server_key_restrictions',
        'android_key_restrictions',
        'ios_key_restrictions',
      ],
    },
  },
  google_essential_contacts_contact: {
    assetType: 'essentialcontacts.googleapis.com/Contact',
    path: '{parent}/contacts/{email}',
    form: { renamed: { notification_category_subscriptions: 'notificationCategorySubscriptions' } },
  },
};
