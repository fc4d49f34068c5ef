/* Members that rules read and that have no attribute in the Google provider for Terraform. */

const SPELLING = 'Exports have it in two spellings; the mapping writes the other one.';
const COMPUTED = 'The API alone sets it. Absent, it means what a new resource has.';
const VERSIONS = 'Another version of the API has it; the mapping writes that of its own version.';
const SECOND =
  'The resource makes functions of the second generation, which never answer without TLS.';
const OLDER = 'The provider has the older setting only, which decides where this one is absent.';
const TELEMETRY = 'The mapping writes the service, which decides before the components.';
const DEFAULT_POOL = 'The mapping writes it to the default pool that the cluster is made with.';
const ABOVE = 'Contacts and sinks above a project can only make its rules pass.';
const FORMER =
  'Policies of the first version have no conditions, and boolean ones do not inherit a value.';
const HIERARCHY = 'Projects alone have it.';
const ACL = 'Each entry is a separate resource; see google_storage_bucket_acl.';
const USER_KEYS = 'Users manage every key that Terraform makes.';
const NO_CHILDREN = 'Sinks of projects and billing accounts have no children to include.';
const ENABLED = 'A plan lists the services that it enables.';
const NAMED = 'The name of the asset has it.';

/** By resource type: members without an attribute, and why no verdict is wrong for it. */
export const WITHOUT_ATTRIBUTE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  google_compute_instance: {
    'metadata.item.key': SPELLING,
    'metadata.item.value': SPELLING,
    'networkInterface.accessConfig.externalIp': SPELLING,
    'networkInterface.accessConfig.natIP': SPELLING,
    'networkInterface.accessConfigs': SPELLING,
    'networkInterface.ipv6AccessConfig': SPELLING,
    'networkInterface.ipv6AccessConfigs': SPELLING,
    'networkInterfaces.accessConfig': SPELLING,
    'networkInterfaces.accessConfigs.externalIp': SPELLING,
    'networkInterfaces.ipv6AccessConfig': SPELLING,
    'serviceAccount.email': SPELLING,
    'serviceAccount.scope': SPELLING,
    'serviceAccount.scopes': SPELLING,
    'shieldedVmConfig.enableIntegrityMonitoring': SPELLING,
    'shieldedVmConfig.enableVtpm': SPELLING,
  },
  google_compute_firewall: {
    'allowed.ipProtocol': SPELLING,
    'allowed.port': SPELLING,
    sourceRange: SPELLING,
    sourceServiceAccount: SPELLING,
    sourceTag: SPELLING,
  },
  google_cloudfunctions_function: {
    buildConfig: VERSIONS,
    serviceConfig: VERSIONS,
  },
  google_cloudfunctions2_function: {
    buildEnvironmentVariables: VERSIONS,
    environmentVariables: VERSIONS,
    httpsTrigger: VERSIONS,
    'serviceConfig.securityLevel': SECOND,
  },
  google_container_cluster: {
    'controlPlaneEndpointsConfig.ipEndpointsConfig.authorizedNetworksConfig.cidrBlocks.cidrBlock':
      OLDER,
    'controlPlaneEndpointsConfig.ipEndpointsConfig.authorizedNetworksConfig.enabled': OLDER,
    'controlPlaneEndpointsConfig.ipEndpointsConfig.enablePublicEndpoint': OLDER,
    'loggingConfig.componentConfig.enableComponents': TELEMETRY,
    'monitoringConfig.componentConfig.enableComponents': TELEMETRY,
    'networkConfig.defaultEnablePrivateNodes': OLDER,
    'nodeConfig.serviceAccount': DEFAULT_POOL,
    nodePool: SPELLING,
  },
  google_apikeys_key: {
    createTime: COMPUTED,
    deleteTime: COMPUTED,
  },
  google_project: {
    parent: ABOVE,
  },
  google_folder: {
    projectId: HIERARCHY,
    projectNumber: HIERARCHY,
  },
  google_storage_bucket: {
    'acl.entity': ACL,
    'acl.role': ACL,
    'defaultObjectAcl.entity': ACL,
    'defaultObjectAcl.role': ACL,
    'iamConfiguration.bucketPolicyOnly.enabled': SPELLING,
  },
  google_essential_contacts_contact: {
    validationState: COMPUTED,
  },
  google_service_account_key: {
    keyType: USER_KEYS,
  },
  google_kms_crypto_key: {
    'primary.state': COMPUTED,
  },
  google_compute_network: {
    IPv4Range: SPELLING,
  },
  google_cloud_run_service: {
    ingress: VERSIONS,
    invokerIamDisabled: VERSIONS,
  },
  google_cloud_run_v2_service: {
    'metadata.annotations.run.googleapis.com/invoker-iam-disabled': VERSIONS,
  },
  google_compute_ssl_policy: {
    customFeature: SPELLING,
    enabledFeature: SPELLING,
  },
  google_compute_region_ssl_policy: {
    customFeature: SPELLING,
    enabledFeature: SPELLING,
  },
  google_logging_project_sink: {
    includeChildren: NO_CHILDREN,
  },
  google_logging_billing_account_sink: {
    includeChildren: NO_CHILDREN,
  },
  google_project_service: {
    state: ENABLED,
  },
  google_compute_project_metadata: {
    'commonInstanceMetadata.item': SPELLING,
    defaultServiceAccount: COMPUTED,
    name: NAMED,
  },
  google_project_organization_policy: {
    'spec.inheritFromParent': FORMER,
    'spec.rules.condition': FORMER,
  },
  google_folder_organization_policy: {
    'spec.inheritFromParent': FORMER,
    'spec.rules.condition': FORMER,
  },
  google_organization_policy: { 'spec.inheritFromParent': FORMER, 'spec.rules.condition': FORMER },
};

/** Asset types with members that rules read but without a mapped resource, and why. */
export const WITHOUT_MAPPING: Readonly<Record<string, string>> = {
  'cloudresourcemanager.googleapis.com/Organization': 'Terraform does not make organizations.',
};
