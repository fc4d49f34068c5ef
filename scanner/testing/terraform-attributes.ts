/*
 * The attribute of the Google provider for Terraform for each member that rules read, from the provider's source of
 * August 2026.
 */

/**
 * By resource type and member of the API's resource. Blocks are joined by dots; `metadata{a}` is the entry `a` of a map.
 */
export const MEMBER_ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  google_bigquery_dataset: {
    'access.iamMember': 'access.iam_member',
    'access.role': 'access.role',
    'access.specialGroup': 'access.special_group',
    'defaultEncryptionConfiguration.kmsKeyName': 'default_encryption_configuration.kms_key_name',
    type: 'external_dataset_reference',
  },
  google_bigquery_table: {
    'encryptionConfiguration.kmsKeyName': 'encryption_configuration.kms_key_name',
    type: 'type',
  },
  google_dataproc_cluster: {
    'config.encryptionConfig.gcePdKmsKeyName': 'cluster_config.encryption_config.kms_key_name',
    'config.encryptionConfig.kmsKey': 'cluster_config.encryption_config.kms_key',
    virtualClusterConfig: 'virtual_cluster_config',
  },
  google_compute_instance: {
    canIpForward: 'can_ip_forward',
    'confidentialInstanceConfig.confidentialInstanceType':
      'confidential_instance_config.confidential_instance_type',
    'confidentialInstanceConfig.enableConfidentialCompute':
      'confidential_instance_config.enable_confidential_compute',
    'labels.goog-gke-node': 'labels{goog-gke-node}',
    'metadata.items.key': 'metadata{a}',
    'metadata.items.value': 'metadata{a}',
    name: 'name',
    'networkInterfaces.accessConfigs.natIP': 'network_interface.access_config.nat_ip',
    'networkInterfaces.ipv6AccessConfigs.externalIpv6':
      'network_interface.ipv6_access_config.external_ipv6',
    'serviceAccounts.email': 'service_account.email',
    'serviceAccounts.scopes': 'service_account.scopes',
    'shieldedInstanceConfig.enableIntegrityMonitoring':
      'shielded_instance_config.enable_integrity_monitoring',
    'shieldedInstanceConfig.enableVtpm': 'shielded_instance_config.enable_vtpm',
  },
  google_dns_managed_zone: {
    'dnssecConfig.defaultKeySpecs.algorithm': 'dnssec_config.default_key_specs.algorithm',
    'dnssecConfig.defaultKeySpecs.keyType': 'dnssec_config.default_key_specs.key_type',
    'dnssecConfig.state': 'dnssec_config.state',
    visibility: 'visibility',
  },
  google_compute_firewall: {
    'allowed.IPProtocol': 'allow.protocol',
    'allowed.ports': 'allow.ports',
    direction: 'direction',
    disabled: 'disabled',
    'logConfig.enable': 'log_config',
    sourceRanges: 'source_ranges',
    sourceServiceAccounts: 'source_service_accounts',
    sourceTags: 'source_tags',
  },
  google_cloudfunctions_function: {
    buildEnvironmentVariables: 'build_environment_variables',
    environmentVariables: 'environment_variables',
    'httpsTrigger.securityLevel': 'https_trigger_security_level',
    ingressSettings: 'ingress_settings',
    serviceAccountEmail: 'service_account_email',
  },
  google_cloudfunctions2_function: {
    'buildConfig.environmentVariables': 'build_config.environment_variables',
    environment: 'environment',
    eventTrigger: 'event_trigger',
    'serviceConfig.environmentVariables': 'service_config.environment_variables',
    'serviceConfig.ingressSettings': 'service_config.ingress_settings',
    'serviceConfig.serviceAccountEmail': 'service_config.service_account_email',
  },
  google_container_cluster: {
    'addonsConfig.kubernetesDashboard.disabled': 'addons_config.kubernetes_dashboard.disabled',
    'autopilot.enabled': 'enable_autopilot',
    'binaryAuthorization.enabled': 'binary_authorization.enabled',
    'binaryAuthorization.evaluationMode': 'binary_authorization.evaluation_mode',
    'controlPlaneEndpointsConfig.dnsEndpointConfig.allowExternalTraffic':
      'control_plane_endpoints_config.dns_endpoint_config.allow_external_traffic',
    'controlPlaneEndpointsConfig.dnsEndpointConfig.enableK8sCertsViaDns':
      'control_plane_endpoints_config.dns_endpoint_config.enable_k8s_certs_via_dns',
    'controlPlaneEndpointsConfig.dnsEndpointConfig.enableK8sTokensViaDns':
      'control_plane_endpoints_config.dns_endpoint_config.enable_k8s_tokens_via_dns',
    'controlPlaneEndpointsConfig.ipEndpointsConfig.enabled':
      'control_plane_endpoints_config.ip_endpoints_config.enabled',
    'databaseEncryption.state': 'database_encryption.state',
    enableKubernetesAlpha: 'enable_kubernetes_alpha',
    'ipAllocationPolicy.useIpAliases': 'ip_allocation_policy',
    'legacyAbac.enabled': 'enable_legacy_abac',
    loggingService: 'logging_config.enable_components',
    'masterAuth.clientCertificate': 'master_auth.client_certificate',
    'masterAuth.clientCertificateConfig.issueClientCertificate':
      'master_auth.client_certificate_config.issue_client_certificate',
    'masterAuth.username': 'master_auth.username',
    'masterAuthorizedNetworksConfig.cidrBlocks.cidrBlock':
      'master_authorized_networks_config.cidr_blocks.cidr_block',
    'masterAuthorizedNetworksConfig.enabled': 'master_authorized_networks_config',
    monitoringService: 'monitoring_config.enable_components',
    'networkConfig.datapathProvider': 'datapath_provider',
    'networkPolicy.enabled': 'network_policy.enabled',
    'nodePools.config.imageType': 'node_pool.node_config.image_type',
    'nodePools.config.metadata.disable-legacy-endpoints':
      'node_pool.node_config.metadata{disable-legacy-endpoints}',
    'nodePools.config.serviceAccount': 'node_pool.node_config.service_account',
    'nodePools.config.shieldedInstanceConfig.enableIntegrityMonitoring':
      'node_pool.node_config.shielded_instance_config.enable_integrity_monitoring',
    'nodePools.config.shieldedInstanceConfig.enableSecureBoot':
      'node_pool.node_config.shielded_instance_config.enable_secure_boot',
    'nodePools.management.autoRepair': 'node_pool.management.auto_repair',
    'nodePools.management.autoUpgrade': 'node_pool.management.auto_upgrade',
    'nodePools.name': 'node_pool.name',
    'nodePools.networkConfig.enablePrivateNodes': 'node_pool.network_config.enable_private_nodes',
    'privateClusterConfig.enablePrivateEndpoint': 'private_cluster_config.enable_private_endpoint',
    'privateClusterConfig.enablePrivateNodes': 'private_cluster_config.enable_private_nodes',
    'releaseChannel.channel': 'release_channel.channel',
    'shieldedNodes.enabled': 'enable_shielded_nodes',
    'workloadIdentityConfig.identityNamespace': 'workload_identity_config.identity_namespace',
    'workloadIdentityConfig.workloadPool': 'workload_identity_config.workload_pool',
  },
  google_apikeys_key: {
    'restrictions.androidKeyRestrictions.allowedApplications.packageName':
      'restrictions.android_key_restrictions.allowed_applications.package_name',
    'restrictions.apiTargets.service': 'restrictions.api_targets.service',
    'restrictions.browserKeyRestrictions.allowedReferrers':
      'restrictions.browser_key_restrictions.allowed_referrers',
    'restrictions.iosKeyRestrictions.allowedBundleIds':
      'restrictions.ios_key_restrictions.allowed_bundle_ids',
    'restrictions.serverKeyRestrictions.allowedIps':
      'restrictions.server_key_restrictions.allowed_ips',
  },
  google_project: {
    name: 'name',
    projectId: 'project_id',
    projectNumber: 'number',
  },
  google_folder: {
    name: 'name',
    parent: 'parent',
  },
  google_storage_bucket: {
    'encryption.defaultKmsKeyName': 'encryption.default_kms_key_name',
    'iamConfiguration.publicAccessPrevention': 'public_access_prevention',
    'iamConfiguration.uniformBucketLevelAccess.enabled': 'uniform_bucket_level_access',
    'logging.logBucket': 'logging.log_bucket',
    projectNumber: 'project_number',
    'retentionPolicy.isLocked': 'retention_policy.is_locked',
    'versioning.enabled': 'versioning.enabled',
  },
  google_project_iam_custom_role: {
    deleted: 'deleted',
    includedPermissions: 'permissions',
  },
  google_organization_iam_custom_role: {
    deleted: 'deleted',
    includedPermissions: 'permissions',
  },
  google_iam_workload_identity_pool_provider: {
    attributeCondition: 'attribute_condition',
    disabled: 'disabled',
    'oidc.issuerUri': 'oidc.issuer_uri',
    state: 'disabled',
  },
  google_essential_contacts_contact: {
    notificationCategorySubscriptions: 'notification_category_subscriptions',
  },
  google_service_account_key: {
    keyOrigin: 'public_key_data',
    validAfterTime: 'valid_after',
  },
  google_kms_crypto_key: {
    purpose: 'purpose',
    rotationPeriod: 'rotation_period',
  },
  google_secret_manager_secret: {
    'rotation.rotationPeriod': 'rotation.rotation_period',
  },
  google_secret_manager_regional_secret: {
    'rotation.rotationPeriod': 'rotation.rotation_period',
  },
  google_compute_network: {
    ipv4Range: 'ipv4_range',
    name: 'name',
  },
  google_compute_subnetwork: {
    enableFlowLogs: 'enable_flow_logs',
    'logConfig.enable': 'log_config',
    'logConfig.flowSampling': 'log_config.flow_sampling',
    privateIpGoogleAccess: 'private_ip_google_access',
    purpose: 'purpose',
  },
  google_cloud_run_service: {
    'metadata.annotations.run.googleapis.com/ingress':
      'metadata.annotations{run.googleapis.com/ingress}',
    'metadata.annotations.run.googleapis.com/invoker-iam-disabled':
      'metadata.annotations{run.googleapis.com/invoker-iam-disabled}',
  },
  google_cloud_run_v2_service: {
    ingress: 'ingress',
    invokerIamDisabled: 'invoker_iam_disabled',
    'metadata.annotations.run.googleapis.com/ingress': 'ingress',
  },
  google_sql_database_instance: {
    databaseVersion: 'database_version',
    instanceType: 'instance_type',
    'ipAddresses.ipAddress': 'ip_address.ip_address',
    'ipAddresses.type': 'ip_address.type',
    'settings.backupConfiguration.binaryLogEnabled':
      'settings.backup_configuration.binary_log_enabled',
    'settings.backupConfiguration.enabled': 'settings.backup_configuration.enabled',
    'settings.backupConfiguration.pointInTimeRecoveryEnabled':
      'settings.backup_configuration.point_in_time_recovery_enabled',
    'settings.databaseFlags.name': 'settings.database_flags.name',
    'settings.databaseFlags.value': 'settings.database_flags.value',
    'settings.deletionProtectionEnabled': 'settings.deletion_protection_enabled',
    'settings.ipConfiguration.authorizedNetworks.value':
      'settings.ip_configuration.authorized_networks.value',
    'settings.ipConfiguration.ipv4Enabled': 'settings.ip_configuration.ipv4_enabled',
    'settings.ipConfiguration.requireSsl': 'settings.ip_configuration.require_ssl',
    'settings.ipConfiguration.sslMode': 'settings.ip_configuration.ssl_mode',
  },
  google_compute_backend_service: {
    loadBalancingScheme: 'load_balancing_scheme',
    'logConfig.enable': 'log_config.enable',
    'logConfig.sampleRate': 'log_config.sample_rate',
    securityPolicy: 'security_policy',
  },
  google_compute_region_backend_service: {
    loadBalancingScheme: 'load_balancing_scheme',
    logConfig: 'log_config',
    securityPolicy: 'security_policy',
  },
  google_compute_target_https_proxy: {
    sslPolicy: 'ssl_policy',
  },
  google_compute_ssl_policy: {
    customFeatures: 'custom_features',
    enabledFeatures: 'enabled_features',
    minTlsVersion: 'min_tls_version',
    name: 'name',
    profile: 'profile',
  },
  google_compute_region_ssl_policy: {
    customFeatures: 'custom_features',
    enabledFeatures: 'enabled_features',
    minTlsVersion: 'min_tls_version',
    name: 'name',
    profile: 'profile',
  },
  google_compute_target_ssl_proxy: {
    sslPolicy: 'ssl_policy',
  },
  google_compute_region_target_https_proxy: {
    sslPolicy: 'ssl_policy',
  },
  google_compute_url_map: {
    'defaultUrlRedirect.httpsRedirect': 'default_url_redirect.https_redirect',
  },
  google_compute_target_http_proxy: {
    name: 'name',
    urlMap: 'url_map',
  },
  google_compute_region_url_map: {
    defaultUrlRedirect: 'default_url_redirect',
  },
  google_compute_region_target_http_proxy: {
    name: 'name',
    urlMap: 'url_map',
  },
  google_logging_metric: {
    bucketName: 'bucket_name',
    disabled: 'disabled',
    filter: 'filter',
    name: 'name',
  },
  google_org_policy_policy: {
    name: 'name',
    'spec.inheritFromParent': 'spec.inherit_from_parent',
    'spec.reset': 'spec.reset',
    'spec.rules.condition': 'spec.rules.condition',
    'spec.rules.enforce': 'spec.rules.enforce',
  },
  google_project_organization_policy: {
    name: 'constraint',
    'spec.reset': 'restore_policy.default',
    'spec.rules.enforce': 'boolean_policy.enforced',
  },
  google_folder_organization_policy: {
    name: 'constraint',
    'spec.reset': 'restore_policy.default',
    'spec.rules.enforce': 'boolean_policy.enforced',
  },
  google_organization_policy: {
    name: 'constraint',
    'spec.reset': 'restore_policy.default',
    'spec.rules.enforce': 'boolean_policy.enforced',
  },
  google_monitoring_alert_policy: {
    'conditions.conditionAbsent.filter': 'conditions.condition_absent.filter',
    'conditions.conditionMatchedLog': 'conditions.condition_matched_log',
    'conditions.conditionMonitoringQueryLanguage.query':
      'conditions.condition_monitoring_query_language.query',
    'conditions.conditionPrometheusQueryLanguage.query':
      'conditions.condition_prometheus_query_language.query',
    'conditions.conditionThreshold.filter': 'conditions.condition_threshold.filter',
    enabled: 'enabled',
  },
  google_container_node_pool: {
    'nodePools.config.imageType': 'node_config.image_type',
    'nodePools.config.metadata.disable-legacy-endpoints':
      'node_config.metadata{disable-legacy-endpoints}',
    'nodePools.config.serviceAccount': 'node_config.service_account',
    'nodePools.config.shieldedInstanceConfig.enableIntegrityMonitoring':
      'node_config.shielded_instance_config.enable_integrity_monitoring',
    'nodePools.config.shieldedInstanceConfig.enableSecureBoot':
      'node_config.shielded_instance_config.enable_secure_boot',
    'nodePools.management.autoRepair': 'management.auto_repair',
    'nodePools.management.autoUpgrade': 'management.auto_upgrade',
    'nodePools.name': 'name',
    'nodePools.networkConfig.enablePrivateNodes': 'network_config.enable_private_nodes',
  },
  google_logging_project_sink: {
    destination: 'destination',
    disabled: 'disabled',
    'exclusions.disabled': 'exclusions.disabled',
    filter: 'filter',
    name: 'name',
  },
  google_logging_billing_account_sink: {
    destination: 'destination',
    disabled: 'disabled',
    'exclusions.disabled': 'exclusions.disabled',
    filter: 'filter',
    name: 'name',
  },
  google_logging_folder_sink: {
    destination: 'destination',
    disabled: 'disabled',
    'exclusions.disabled': 'exclusions.disabled',
    filter: 'filter',
    name: 'name',
    includeChildren: 'include_children',
  },
  google_logging_organization_sink: {
    destination: 'destination',
    disabled: 'disabled',
    'exclusions.disabled': 'exclusions.disabled',
    filter: 'filter',
    name: 'name',
    includeChildren: 'include_children',
  },
  google_dns_policy: {
    enableLogging: 'enable_logging',
    name: 'name',
    'networks.networkUrl': 'networks.network_url',
  },
  google_project_service: {
    name: 'service',
  },
  google_compute_project_metadata: {
    'commonInstanceMetadata.items.key': 'metadata{a}',
    'commonInstanceMetadata.items.value': 'metadata{a}',
  },
  google_compute_disk: {
    'diskEncryptionKey.kmsKeyName': 'disk_encryption_key.kms_key_self_link',
    'diskEncryptionKey.sha256': 'disk_encryption_key.sha256',
  },
  google_compute_region_disk: {
    'diskEncryptionKey.kmsKeyName': 'disk_encryption_key.kms_key_name',
  },
  google_storage_bucket_acl: {
    'acl.entity': 'role_entity',
    'acl.role': 'role_entity',
  },
  google_storage_bucket_access_control: {
    'acl.entity': 'entity',
    'acl.role': 'role',
  },
  google_storage_default_object_acl: {
    'defaultObjectAcl.entity': 'role_entity',
    'defaultObjectAcl.role': 'role_entity',
  },
  google_storage_default_object_access_control: {
    'defaultObjectAcl.entity': 'entity',
    'defaultObjectAcl.role': 'role',
  },
  google_bigquery_dataset_access: {
    'access.iamMember': 'iam_member',
    'access.role': 'role',
    'access.specialGroup': 'special_group',
  },
  google_compute_project_metadata_item: {
    'commonInstanceMetadata.items.key': 'key',
    'commonInstanceMetadata.items.value': 'value',
  },
};
