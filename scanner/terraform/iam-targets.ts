import { IAM_BASES } from './iam-resources.gen.ts';

/** The targets of one kind of IAM resource. */
export interface IamTarget {
  /** The asset type in Cloud Asset Inventory. */
  readonly assetType: string;
  /** The path of its full resource name, with attributes of the IAM resource in braces. */
  readonly path: string;
  /** The attribute that names the target, by its name alone or by its full path. */
  readonly attribute: string;
}

/**
 * By the base in `google_<base>_iam_member`: the service and the asset type. A test compares this with the generated
 * list.
 */
const ASSETS: Readonly<Record<string, string>> = {
  access_context_manager_access_policy: 'accesscontextmanager/AccessPolicy',
  api_gateway_api: 'apigateway/Api',
  api_gateway_api_config: 'apigateway/ApiConfig',
  api_gateway_gateway: 'apigateway/Gateway',
  apigee_environment: 'apigee/Environment',
  artifact_registry_repository: 'artifactregistry/Repository',
  beyondcorp_application: 'beyondcorp/Application',
  beyondcorp_security_gateway: 'beyondcorp/SecurityGateway',
  beyondcorp_security_gateway_application: 'beyondcorp/Application',
  bigquery_analytics_hub_data_exchange: 'analyticshub/DataExchange',
  bigquery_analytics_hub_listing: 'analyticshub/Listing',
  bigquery_connection: 'bigqueryconnection/Connection',
  bigquery_datapolicy_data_policy: 'bigquerydatapolicy/DataPolicy',
  bigquery_dataset: 'bigquery/Dataset',
  bigquery_table: 'bigquery/Table',
  bigtable_instance: 'bigtableadmin/Instance',
  bigtable_table: 'bigtableadmin/Table',
  billing_account: 'cloudbilling/BillingAccount',
  binary_authorization_attestor: 'binaryauthorization/Attestor',
  cloud_run_service: 'run/Service',
  cloud_run_v2_job: 'run/Job',
  cloud_run_v2_service: 'run/Service',
  cloud_run_v2_worker_pool: 'run/WorkerPool',
  cloud_tasks_queue: 'cloudtasks/Queue',
  cloudbuildv2_connection: 'cloudbuild/Connection',
  clouddeploy_custom_target_type: 'clouddeploy/CustomTargetType',
  clouddeploy_delivery_pipeline: 'clouddeploy/DeliveryPipeline',
  clouddeploy_target: 'clouddeploy/Target',
  cloudfunctions2_function: 'cloudfunctions/Function',
  cloudfunctions_function: 'cloudfunctions/CloudFunction',
  cloudiot_registry: 'cloudiot/Registry',
  colab_runtime_template: 'aiplatform/NotebookRuntimeTemplate',
  compute_backend_bucket: 'compute/BackendBucket',
  compute_backend_service: 'compute/BackendService',
  compute_disk: 'compute/Disk',
  compute_image: 'compute/Image',
  compute_instance: 'compute/Instance',
  compute_instance_template: 'compute/InstanceTemplate',
  compute_instant_snapshot: 'compute/InstantSnapshot',
  compute_machine_image: 'compute/MachineImage',
  compute_region_backend_service: 'compute/RegionBackendService',
  compute_region_disk: 'compute/RegionDisk',
  compute_snapshot: 'compute/Snapshot',
  compute_storage_pool: 'compute/StoragePool',
  compute_subnetwork: 'compute/Subnetwork',
  container_analysis_note: 'containeranalysis/Note',
  data_catalog_entry_group: 'datacatalog/EntryGroup',
  data_catalog_policy_tag: 'datacatalog/PolicyTag',
  data_catalog_tag_template: 'datacatalog/TagTemplate',
  data_catalog_taxonomy: 'datacatalog/Taxonomy',
  data_fusion_instance: 'datafusion/Instance',
  dataform_repository: 'dataform/Repository',
  dataplex_aspect_type: 'dataplex/AspectType',
  dataplex_asset: 'dataplex/Asset',
  dataplex_datascan: 'dataplex/DataScan',
  dataplex_entry_group: 'dataplex/EntryGroup',
  dataplex_entry_type: 'dataplex/EntryType',
  dataplex_glossary: 'dataplex/Glossary',
  dataplex_lake: 'dataplex/Lake',
  dataplex_task: 'dataplex/Task',
  dataplex_zone: 'dataplex/Zone',
  dataproc_autoscaling_policy: 'dataproc/AutoscalingPolicy',
  dataproc_cluster: 'dataproc/Cluster',
  dataproc_job: 'dataproc/Job',
  dataproc_metastore_database: 'metastore/Database',
  dataproc_metastore_federation: 'metastore/Federation',
  dataproc_metastore_service: 'metastore/Service',
  dataproc_metastore_table: 'metastore/Table',
  dns_managed_zone: 'dns/ManagedZone',
  endpoints_service: 'servicemanagement/ManagedService',
  endpoints_service_consumers: 'servicemanagement/ServiceConsumer',
  folder: 'cloudresourcemanager/Folder',
  gemini_repository_group: 'cloudaicompanion/RepositoryGroup',
  gke_backup_backup_plan: 'gkebackup/BackupPlan',
  gke_backup_restore_plan: 'gkebackup/RestorePlan',
  gke_hub_feature: 'gkehub/Feature',
  gke_hub_membership: 'gkehub/Membership',
  gke_hub_scope: 'gkehub/Scope',
  healthcare_consent_store: 'healthcare/ConsentStore',
  healthcare_dataset: 'healthcare/Dataset',
  healthcare_dicom_store: 'healthcare/DicomStore',
  healthcare_fhir_store: 'healthcare/FhirStore',
  healthcare_hl7_v2_store: 'healthcare/Hl7V2Store',
  iam_workforce_pool: 'iam/WorkforcePool',
  iam_workload_identity_pool: 'iam/WorkloadIdentityPool',
  iap_app_engine_service: 'iap/WebService',
  iap_app_engine_version: 'iap/WebServiceVersion',
  iap_tunnel: 'iap/Tunnel',
  iap_tunnel_dest_group: 'iap/TunnelDestGroup',
  iap_tunnel_instance: 'iap/TunnelInstance',
  iap_web: 'iap/Web',
  iap_web_backend_service: 'iap/WebService',
  iap_web_cloud_run_service: 'iap/WebService',
  iap_web_region_backend_service: 'iap/WebService',
  iap_web_type_app_engine: 'iap/WebType',
  iap_web_type_compute: 'iap/WebType',
  kms_crypto_key: 'cloudkms/CryptoKey',
  kms_ekm_connection: 'cloudkms/EkmConnection',
  kms_key_ring: 'cloudkms/KeyRing',
  logging_log_view: 'logging/LogView',
  network_security_address_group: 'networksecurity/AddressGroup',
  notebooks_instance: 'notebooks/Instance',
  notebooks_runtime: 'notebooks/Runtime',
  organization: 'cloudresourcemanager/Organization',
  privateca_ca_pool: 'privateca/CaPool',
  privateca_certificate_template: 'privateca/CertificateTemplate',
  project: 'cloudresourcemanager/Project',
  pubsub_schema: 'pubsub/Schema',
  pubsub_subscription: 'pubsub/Subscription',
  pubsub_topic: 'pubsub/Topic',
  runtimeconfig_config: 'runtimeconfig/Config',
  scc_source: 'securitycenter/Source',
  scc_v2_organization_source: 'securitycenter/Source',
  secret_manager_regional_secret: 'secretmanager/Secret',
  secret_manager_secret: 'secretmanager/Secret',
  secure_source_manager_instance: 'securesourcemanager/Instance',
  secure_source_manager_repository: 'securesourcemanager/Repository',
  service_account: 'iam/ServiceAccount',
  service_directory_namespace: 'servicedirectory/Namespace',
  service_directory_service: 'servicedirectory/Service',
  sourcerepo_repository: 'sourcerepo/Repo',
  spanner_database: 'spanner/Database',
  spanner_instance: 'spanner/Instance',
  storage_bucket: 'storage/Bucket',
  storage_managed_folder: 'storage/ManagedFolder',
  tags_tag_key: 'cloudresourcemanager/TagKey',
  tags_tag_value: 'cloudresourcemanager/TagValue',
  vertex_ai_endpoint: 'aiplatform/Endpoint',
  vertex_ai_feature_group: 'aiplatform/FeatureGroup',
  vertex_ai_feature_online_store: 'aiplatform/FeatureOnlineStore',
  vertex_ai_feature_online_store_featureview: 'aiplatform/FeatureView',
  vertex_ai_featurestore: 'aiplatform/Featurestore',
  vertex_ai_featurestore_entitytype: 'aiplatform/EntityType',
  workbench_instance: 'notebooks/Instance',
  workstations_workstation: 'workstations/Workstation',
  workstations_workstation_config: 'workstations/WorkstationConfig',
};

/** Targets for which the provider has no path template, or the asset has another name. */
const PATHS: Readonly<Record<string, string>> = {
  billing_account: 'billingAccounts/{billing_account_id}',
  folder: 'folders/{folder}',
  healthcare_dataset: 'projects/{project}/locations/{location}/datasets/{dataset_id}',
  healthcare_dicom_store:
    'projects/{project}/locations/{location}/datasets/{dataset}/dicomStores/{dicom_store_id}',
  healthcare_fhir_store:
    'projects/{project}/locations/{location}/datasets/{dataset}/fhirStores/{fhir_store_id}',
  healthcare_hl7_v2_store:
    'projects/{project}/locations/{location}/datasets/{dataset}/hl7V2Stores/{hl7_v2_store_id}',
  kms_crypto_key:
    'projects/{project}/locations/{location}/keyRings/{key_ring}/cryptoKeys/{crypto_key_id}',
  kms_key_ring: 'projects/{project}/locations/{location}/keyRings/{key_ring_id}',
  organization: 'organizations/{org_id}',
  project: 'projects/{project}',
  pubsub_subscription: 'projects/{project}/subscriptions/{subscription}',
  service_account: 'projects/{project}/serviceAccounts/{service_account_id}',
  spanner_database: 'projects/{project}/instances/{instance}/databases/{database}',
  spanner_instance: 'projects/{project}/instances/{instance}',
  storage_bucket: '{bucket}',
};

/** By the base in `google_<base>_iam_policy`, `_iam_binding`, `_iam_member` and `_iam_audit_config`. */
export const IAM_TARGETS: ReadonlyMap<string, IamTarget> = new Map(
  Object.entries(ASSETS).map(([base, asset]) => {
    const path = PATHS[base] ?? (IAM_BASES[base]?.path ?? '').replace(/^v1\//, '');
    const [service, kind] = asset.split('/');
    return [
      base,
      {
        assetType: `${service}.googleapis.com/${kind}`,
        path,
        attribute: [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1] ?? 'project',
      },
    ];
  }),
);

/** Resources whose names suggest grants, and why they are not treated as such. */
export const NOT_GRANTS: readonly (readonly [name: RegExp, reason: string])[] = [
  [
    /^google_access_context_manager_/,
    'restricts access to services by network, device or identity; it grants no role',
  ],
  [
    /^google_(folder_|project_)?organization_policy$|^google_org_policy_/,
    'is an organization policy, a restriction',
  ],
  [
    /^google_iam_(deny_policy|access_boundary_policy|principal_access_boundary_policy|(folder|organization|project)_access_policy|(folders|organizations|projects)_policy_binding)$/,
    'restricts what roles allow; it grants none',
  ],
  [
    /^google_bigquery_(row_access_policy|datapolicy)/,
    'restricts rows or columns of tables that other grants open',
  ],
  [/^google_gemini_/, 'binds a setting of Gemini to a project'],
  [/^google_gke_hub_/, 'grants Kubernetes roles within a fleet, which no rule examines'],
  [/^google_managed_kafka_acl$/, 'grants Kafka operations, which no rule examines'],
  [/^google_storage_object_/, 'is on a single object; Cloud Asset Inventory has buckets only'],
  [/^google_cloud_identity_policy$/, 'is a setting of Cloud Identity; it grants no role'],
  [/^google_tags_/, 'binds a tag to a resource'],
  [/^google_apigee_control_plane_access$/, 'lets Apigee publish to its own service accounts'],
  [/^google_binary_authorization_policy$/, 'defines which images may run; it grants no role'],
  [
    /^google_(agent_registry|bigtable|clouddeploy|compute|dataproc|dns|firebase|monitoring|netapp|network|vmwareengine)/,
    'is a policy or a binding of the service itself; it grants no IAM role',
  ],
];
