import { IAM_POLICY } from './recorded-reads.ts';

/**
 * The schemas that describe `resource.data` of each asset type, in Google's discovery documents. Several if exports
 * contain a resource in more than one API version.
 */
export const GOOGLE_SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  [IAM_POLICY]: ['cloudresourcemanager/v3#Policy'],
  'apikeys.googleapis.com/Key': ['apikeys/v2#V2Key'],
  'bigquery.googleapis.com/Dataset': ['bigquery/v2#Dataset'],
  'bigquery.googleapis.com/Table': ['bigquery/v2#Table'],
  'cloudfunctions.googleapis.com/CloudFunction': [
    'cloudfunctions/v1#CloudFunction',
    'cloudfunctions/v2#Function',
  ],
  'cloudfunctions.googleapis.com/Function': [
    'cloudfunctions/v1#CloudFunction',
    'cloudfunctions/v2#Function',
  ],
  'cloudkms.googleapis.com/CryptoKey': ['cloudkms/v1#CryptoKey'],
  'cloudresourcemanager.googleapis.com/Folder': ['cloudresourcemanager/v3#Folder'],
  'cloudresourcemanager.googleapis.com/Organization': ['cloudresourcemanager/v3#Organization'],
  'cloudresourcemanager.googleapis.com/Project': [
    'cloudresourcemanager/v1#Project',
    'cloudresourcemanager/v3#Project',
  ],
  'compute.googleapis.com/BackendService': ['compute/v1#BackendService'],
  'compute.googleapis.com/Disk': ['compute/v1#Disk'],
  'compute.googleapis.com/Firewall': ['compute/v1#Firewall'],
  'compute.googleapis.com/Instance': ['compute/v1#Instance'],
  'compute.googleapis.com/Network': ['compute/v1#Network'],
  'compute.googleapis.com/Project': ['compute/v1#Project'],
  'compute.googleapis.com/RegionBackendService': ['compute/v1#BackendService'],
  'compute.googleapis.com/RegionDisk': ['compute/v1#Disk'],
  'compute.googleapis.com/RegionTargetHttpProxy': ['compute/v1#TargetHttpProxy'],
  'compute.googleapis.com/RegionTargetHttpsProxy': ['compute/v1#TargetHttpsProxy'],
  'compute.googleapis.com/RegionUrlMap': ['compute/v1#UrlMap'],
  'compute.googleapis.com/SslPolicy': ['compute/v1#SslPolicy'],
  'compute.googleapis.com/Subnetwork': ['compute/v1#Subnetwork'],
  'compute.googleapis.com/TargetHttpProxy': ['compute/v1#TargetHttpProxy'],
  'compute.googleapis.com/TargetHttpsProxy': ['compute/v1#TargetHttpsProxy'],
  'compute.googleapis.com/TargetSslProxy': ['compute/v1#TargetSslProxy'],
  'compute.googleapis.com/UrlMap': ['compute/v1#UrlMap'],
  'container.googleapis.com/Cluster': ['container/v1#Cluster'],
  'dataproc.googleapis.com/Cluster': ['dataproc/v1#Cluster'],
  'dns.googleapis.com/ManagedZone': ['dns/v1#ManagedZone'],
  'dns.googleapis.com/Policy': ['dns/v1#Policy'],
  'essentialcontacts.googleapis.com/Contact': [
    'essentialcontacts/v1#GoogleCloudEssentialcontactsV1Contact',
  ],
  'iam.googleapis.com/Role': ['iam/v1#Role'],
  'iam.googleapis.com/ServiceAccountKey': ['iam/v1#ServiceAccountKey'],
  'iam.googleapis.com/WorkloadIdentityPoolProvider': ['iam/v1#WorkloadIdentityPoolProvider'],
  'logging.googleapis.com/LogMetric': ['logging/v2#LogMetric'],
  'logging.googleapis.com/LogSink': ['logging/v2#LogSink'],
  'monitoring.googleapis.com/AlertPolicy': ['monitoring/v3#AlertPolicy'],
  'orgpolicy.googleapis.com/Policy': ['orgpolicy/v2#GoogleCloudOrgpolicyV2Policy'],
  'run.googleapis.com/Service': ['run/v1#Service', 'run/v2#GoogleCloudRunV2Service'],
  'secretmanager.googleapis.com/Secret': ['secretmanager/v1#Secret'],
  'serviceusage.googleapis.com/Service': ['serviceusage/v1#GoogleApiServiceusageV1Service'],
  'sqladmin.googleapis.com/Instance': ['sqladmin/v1#DatabaseInstance'],
  'storage.googleapis.com/Bucket': ['storage/v1#Bucket'],
};

/** The type of a member: '' for a scalar, `Name` for an object of that schema, `*` for a map with user-defined keys. */
export interface GoogleSchema {
  readonly members: Readonly<Record<string, string>>;
  /** Members that Google has marked as deprecated. */
  readonly deprecated: readonly string[];
}

/** The schemas of one API version that rules read, with all of their members, so a new one shows up as a change. */
export interface GoogleApi {
  readonly revision: string;
  readonly schemas: Readonly<Record<string, GoogleSchema>>;
}

export interface GoogleFields {
  /** The Go module that contains the discovery documents. */
  readonly source: string;
  /** By name and version: `container/v1`. */
  readonly apis: Readonly<Record<string, GoogleApi>>;
}

/** The result of looking up a path. */
type Found = 'absent' | 'present' | 'deprecated';

/**
 * Looks up a path of members, such as `nodePools.config.imageType`.
 *
 * @param root as in `GOOGLE_SCHEMAS`
 * @param schemaOf returns null for an unknown schema
 */
export function lookUp(
  root: string,
  path: string,
  schemaOf: (api: string, name: string) => GoogleSchema | null,
): Found {
  const [api = '', first = ''] = root.split('#');
  let name = first;
  let found: Found = 'present';
  for (const member of path.split('.')) {
    if (name === '*') return found;
    const schema = name === '' ? null : schemaOf(api, name);
    if (schema === null || !Object.hasOwn(schema.members, member)) return 'absent';
    if (schema.deprecated.includes(member)) found = 'deprecated';
    name = schema.members[member] ?? '';
  }
  return found;
}
