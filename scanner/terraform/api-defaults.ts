import type { JsonValue } from '../json.ts';

/**
 * The API's default for an attribute that the configuration omits and the provider marks as computed, so a plan calls
 * it "known after apply". Taken from the provider's documentation in versions 4.85.0, 5.45.2, 6.50.0 and 7.45.0, and
 * from the reference of each API, in November 2026. ABSENT: the rules treat an absent field by the documented default
 * of the service. An attribute that is not listed stays unknown.
 */
export const ABSENT = Symbol('absent');

export type ApiDefault = JsonValue | typeof ABSENT;

const BACKEND_SERVICE: Readonly<Record<string, ApiDefault>> = { log_config: ABSENT };

const INSTANCE: Readonly<Record<string, ApiDefault>> = {
  confidential_instance_config: ABSENT,
  'service_account.email': 'default',
  'network_interface.access_config.nat_ip': ABSENT,
  'network_interface.ipv6_access_config.external_ipv6': ABSENT,
  labels: ABSENT,
  tags: ABSENT,
  metadata: ABSENT,
};

const NODE_CONFIG = {
  service_account: ABSENT,
  image_type: ABSENT,
  // GKE sets it on every node pool since version 1.12, unless other metadata is given.
  metadata: { 'disable-legacy-endpoints': 'true' },
  shielded_instance_config: [{ enable_secure_boot: false, enable_integrity_monitoring: true }],
  labels: ABSENT,
  tags: ABSENT,
} as const satisfies Readonly<Record<string, ApiDefault>>;

/** A pool without node_config. */
const NODES = [
  {
    metadata: NODE_CONFIG.metadata,
    shielded_instance_config: NODE_CONFIG.shielded_instance_config,
  },
];

/** Both are documented as "enabled by default". */
const MANAGEMENT = [{ auto_repair: true, auto_upgrade: true }];

/** A pool without a setting for private nodes follows its cluster. */
const POOL_NETWORK: Readonly<Record<string, ApiDefault>> = {
  network_config: ABSENT,
  'network_config.enable_private_nodes': ABSENT,
};

function below<T>(parent: string, defaults: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [`${parent}.${name}`, value]),
  );
}

/** By resource type and path, without indices. */
export const API_DEFAULTS: Readonly<Record<string, Readonly<Record<string, ApiDefault>>>> = {
  google_compute_instance: INSTANCE,
  google_compute_instance_template: INSTANCE,
  google_compute_region_instance_template: INSTANCE,
  google_compute_disk: { disk_encryption_key: ABSENT },
  google_compute_subnetwork: {
    purpose: 'PRIVATE',
    enable_flow_logs: ABSENT,
    private_ip_google_access: false,
    log_config: ABSENT,
  },
  google_compute_firewall: {
    direction: 'INGRESS',
    enable_logging: ABSENT,
    destination_ranges: ABSENT,
    source_ranges: ABSENT,
  },
  google_compute_backend_service: BACKEND_SERVICE,
  google_compute_region_backend_service: BACKEND_SERVICE,
  google_dns_managed_zone: { 'dnssec_config.default_key_specs': ABSENT },
  google_storage_bucket: {
    public_access_prevention: 'inherited',
    uniform_bucket_level_access: false,
    bucket_policy_only: ABSENT,
    versioning: ABSENT,
    logging: ABSENT,
    encryption: ABSENT,
    retention_policy: ABSENT,
  },
  // A bucket keeps the ACLs that it has without these settings: those of the project.
  google_storage_bucket_acl: { role_entity: ABSENT },
  google_storage_default_object_acl: { role_entity: ABSENT },
  google_sql_database_instance: {
    instance_type: 'CLOUD_SQL_INSTANCE',
    master_instance_name: ABSENT,
    'settings.backup_configuration': ABSENT,
    'settings.ip_configuration': [{ ipv4_enabled: true }],
    'settings.ip_configuration.ssl_mode': ABSENT,
    'settings.ip_configuration.require_ssl': ABSENT,
    'settings.backup_configuration.point_in_time_recovery_enabled': ABSENT,
    'settings.database_flags': ABSENT,
    'settings.deletion_protection_enabled': ABSENT,
  },
  google_bigquery_dataset: {
    // The owners, writers and readers of the project: nobody from outside.
    access: [],
    default_encryption_configuration: ABSENT,
  },
  google_bigquery_table: { encryption_configuration: ABSENT },
  google_dataproc_cluster: { cluster_config: ABSENT, 'cluster_config.encryption_config': ABSENT },
  google_container_cluster: {
    addons_config: ABSENT,
    binary_authorization: ABSENT,
    'binary_authorization.evaluation_mode': ABSENT,
    control_plane_endpoints_config: ABSENT,
    database_encryption: ABSENT,
    datapath_provider: ABSENT,
    enable_shielded_nodes: true,
    ip_allocation_policy: ABSENT,
    logging_config: ABSENT,
    logging_service: ABSENT,
    master_auth: ABSENT,
    master_authorized_networks_config: ABSENT,
    monitoring_config: ABSENT,
    monitoring_service: ABSENT,
    network_policy: ABSENT,
    networking_mode: ABSENT,
    node_config: ABSENT,
    node_pool: ABSENT,
    private_cluster_config: ABSENT,
    release_channel: ABSENT,
    resource_labels: ABSENT,
    workload_identity_config: ABSENT,
    'addons_config.kubernetes_dashboard': ABSENT,
    'master_auth.client_certificate_config': ABSENT,
    'control_plane_endpoints_config.dns_endpoint_config': ABSENT,
    'control_plane_endpoints_config.ip_endpoints_config': ABSENT,
    'node_pool.management': MANAGEMENT,
    ...below('node_pool', POOL_NETWORK),
    'node_pool.node_config': NODES,
    'node_pool.name': ABSENT,
    ...below('node_config', NODE_CONFIG),
    ...below('node_pool.node_config', NODE_CONFIG),
  },
  google_container_node_pool: {
    ...POOL_NETWORK,
    management: MANAGEMENT,
    node_config: NODES,
    name: ABSENT,
    ...below('node_config', NODE_CONFIG),
  },
  google_cloud_run_service: { metadata: ABSENT, 'metadata.annotations': ABSENT },
  google_cloud_run_v2_service: { ingress: 'INGRESS_TRAFFIC_ALL' },
  google_cloudfunctions_function: {
    https_trigger_security_level: ABSENT,
    service_account_email: ABSENT,
    ingress_settings: ABSENT,
    environment_variables: ABSENT,
    build_environment_variables: ABSENT,
  },
  google_cloudfunctions2_function: {
    service_config: ABSENT,
    'service_config.service_account_email': ABSENT,
    'service_config.environment_variables': ABSENT,
    'service_config.ingress_settings': ABSENT,
    'build_config.environment_variables': ABSENT,
  },
};

/** The API's default of a block that depends on more than the plan shows, by resource type. */
export const OPEN_DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  // On for images that support Shielded VM, which a plan only names. A plan shows an empty block.
  google_compute_instance: ['shielded_instance_config'],
  google_compute_instance_template: ['shielded_instance_config'],
  google_compute_region_instance_template: ['shielded_instance_config'],
};

/**
 * Attributes that only the API sets, and that no rule needs if the settings of the resource are known: the public
 * address of a database follows from `ipv4_enabled`, the suites of an SSL policy from its profile, the certificate of a
 * cluster from `issue_client_certificate`. A new role is not deleted.
 */
export const NOT_NEEDED: Readonly<Record<string, readonly string[]>> = {
  google_sql_database_instance: ['ip_address'],
  google_storage_bucket: ['project_number'],
  google_compute_ssl_policy: ['enabled_features'],
  google_compute_region_ssl_policy: ['enabled_features'],
  google_cloudfunctions2_function: ['environment'],
  google_container_cluster: ['master_auth.client_certificate'],
  google_organization_iam_custom_role: ['deleted'],
  google_project_iam_custom_role: ['deleted'],
};
