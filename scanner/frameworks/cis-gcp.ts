import type { Framework } from '../compliance.ts';

/** One thing that a benchmark asks for. */
export interface FrameworkRequirement {
  readonly id: string;
  readonly section: string;
  /** In our words: those of the benchmark are under copyright. */
  readonly title: string;
  /** How the benchmark wants it to be assessed. */
  readonly assessment: 'automated' | 'manual';
}

/** The number of a requirement in versions 2.0, 4.0 and 5.0, null where the version does not have it. */
type Row = readonly [
  v2: string | null,
  v4: string | null,
  v5: string | null,
  assessment: 'automated' | 'manual',
  title: string,
];

/*
 * The CIS Google Cloud Foundations benchmark. Version 5.0 begins with four requirements on the organisation, which
 * pushes the first section down by one; what 2.0 has as 1.17 is a section of its own from 3.0 on.
 */
const ROWS: readonly Row[] = [
  [null, null, '1.1.1', 'manual', 'Super administration belongs to an account of its own'],
  [null, null, '1.1.2', 'manual', 'Super administrators hold no role on Google Cloud'],
  [null, null, '1.1.3', 'manual', 'Folders follow environments and sensitivity'],
  [null, null, '1.1.4', 'manual', 'Organisation policies set the baseline'],
  ['1.1', '1.1', '1.2', 'manual', 'People sign in with accounts of the company'],
  ['1.2', '1.2', '1.3', 'manual', 'People sign in with a second factor'],
  ['1.3', '1.3', '1.4', 'manual', 'Administrators sign in with a security key'],
  ['1.4', '1.4', '1.5', 'automated', 'Service accounts have no keys but those that Google manages'],
  ['1.5', '1.5', '1.6', 'automated', 'Service accounts hold no role of an administrator'],
  ['1.6', '1.6', '1.7', 'automated', 'No one may act as every service account of a project'],
  ['1.7', '1.7', '1.8', 'automated', 'Keys of service accounts are replaced every 90 days'],
  ['1.8', '1.8', '1.9', 'automated', 'Who manages service accounts cannot act as them'],
  ['1.9', '1.9', '1.10', 'automated', 'Encryption keys are not open to the public'],
  ['1.10', '1.10', '1.11', 'automated', 'Encryption keys rotate every 90 days'],
  ['1.11', '1.11', '1.12', 'automated', 'Who manages encryption keys cannot use them'],
  ['1.12', '1.12', '1.13', 'automated', 'API keys are there for services in use only'],
  ['1.13', '1.13', '1.14', 'manual', 'API keys work for named hosts and apps only'],
  ['1.14', '1.14', '1.15', 'automated', 'API keys work for the APIs that are needed only'],
  ['1.15', '1.15', '1.16', 'automated', 'API keys are replaced every 90 days'],
  ['1.16', '1.16', '1.17', 'automated', 'Google knows whom to tell about security and outages'],
  ['1.18', '1.17', '1.18', 'manual', 'Functions take their secrets from Secret Manager'],

  ['2.1', '2.1', '2.1', 'automated', 'Audit logs record all access to data, by everyone'],
  [null, null, '2.2', 'manual', 'The audit logs of Workspace reach Google Cloud'],
  ['2.2', '2.2', '2.3', 'automated', 'A sink exports every log entry'],
  ['2.3', '2.3', '2.4', 'automated', 'Buckets of exported logs are locked'],
  ['2.4', '2.4', '2.5', 'automated', 'Changes of project ownership raise an alert'],
  ['2.5', '2.5', '2.6', 'automated', 'Changes of audit configuration raise an alert'],
  ['2.6', '2.6', '2.7', 'automated', 'Changes of custom roles raise an alert'],
  ['2.7', '2.7', '2.8', 'automated', 'Changes of firewall rules raise an alert'],
  ['2.8', '2.8', '2.9', 'automated', 'Changes of routes raise an alert'],
  ['2.9', '2.9', '2.10', 'automated', 'Changes of networks raise an alert'],
  ['2.10', '2.10', '2.11', 'automated', 'Changes of access to buckets raise an alert'],
  ['2.11', '2.11', '2.12', 'automated', 'Changes of database instances raise an alert'],
  ['2.12', '2.12', '2.13', 'automated', 'DNS queries of every network are logged'],
  ['2.13', '2.13', '2.14', 'automated', 'Cloud Asset Inventory is switched on'],
  ['2.14', '2.14', '2.15', 'manual', 'Access Transparency is switched on'],
  ['2.15', '2.15', '2.16', 'automated', 'Access Approval is switched on'],
  ['2.16', '2.16', '2.17', 'automated', 'Load balancers log requests'],

  ['3.1', '3.1', '3.1', 'automated', 'There is no default network'],
  ['3.2', '3.2', '3.2', 'automated', 'There is no legacy network'],
  ['3.3', '3.3', '3.3', 'automated', 'Public zones are signed'],
  ['3.4', '3.4', '3.4', 'automated', 'Keys that sign keys do without SHA-1'],
  ['3.5', '3.5', '3.5', 'automated', 'Keys that sign zones do without SHA-1'],
  ['3.6', '3.6', '3.6', 'automated', 'SSH is not open to the internet'],
  ['3.7', '3.7', '3.7', 'automated', 'RDP is not open to the internet'],
  [null, null, '3.8', 'manual', 'Service perimeters surround what is sensitive'],
  [null, null, '3.9', 'manual', 'Google APIs are reached by Private Service Connect'],
  ['3.8', '3.8', '3.10', 'automated', 'Every subnetwork keeps flow logs'],
  ['3.9', '3.9', '3.11', 'manual', 'Load balancers refuse weak ciphers'],
  ['3.10', '3.10', '3.12', 'manual', 'Identity-Aware Proxy is the only way to what it guards'],

  ['4.1', '4.1', '4.1', 'automated', 'Instances do not run as the default account'],
  ['4.2', '4.2', '4.2', 'automated', 'The default account does not reach every API'],
  ['4.3', '4.3', '4.3', 'automated', 'Instances refuse the SSH keys of the project'],
  ['4.4', '4.4', '4.4', 'automated', 'OS Login is switched on'],
  ['4.5', '4.5', '4.5', 'automated', 'Serial ports are not reachable'],
  ['4.6', '4.6', '4.6', 'automated', "Instances do not forward others' packets"],
  ['4.7', '4.7', '4.7', 'automated', 'Disks are encrypted with keys of yours'],
  ['4.8', '4.8', '4.8', 'automated', 'Instances are shielded'],
  ['4.9', '4.9', '4.9', 'automated', 'Instances have no public address'],
  ['4.10', '4.10', '4.10', 'manual', 'App Engine answers HTTPS only'],
  ['4.11', '4.11', '4.11', 'automated', 'Instances encrypt their memory'],
  ['4.12', '4.12', '4.12', 'manual', 'Operating systems are kept up to date'],

  ['5.1', '5.1', '5.1', 'automated', 'Buckets are not open to the public'],
  ['5.2', '5.2', '5.2', 'automated', 'Access to buckets is ruled by IAM alone'],

  ['6.1.1', '6.1.1', '6.1.1', 'manual', 'No one administers MySQL without a password'],
  ['6.1.2', '6.1.2', '6.1.2', 'automated', 'MySQL shows databases to their users only'],
  ['6.1.3', '6.1.3', '6.1.3', 'automated', 'MySQL loads no files of clients'],
  ['6.2.1', '6.2.1', '6.2.1', 'automated', 'PostgreSQL logs errors without internals'],
  ['6.2.2', '6.2.2', '6.2.2', 'automated', 'PostgreSQL logs connections'],
  ['6.2.3', '6.2.3', '6.2.3', 'automated', 'PostgreSQL logs the ends of sessions'],
  ['6.2.4', '6.2.4', '6.2.4', 'automated', 'PostgreSQL logs statements that define data'],
  ['6.2.5', '6.2.5', '6.2.5', 'automated', 'PostgreSQL logs warnings and worse'],
  ['6.2.6', '6.2.6', '6.2.6', 'automated', 'PostgreSQL logs the statements behind errors'],
  ['6.2.7', '6.2.7', '6.2.7', 'automated', 'PostgreSQL does not log statements for being slow'],
  ['6.2.8', '6.2.8', '6.2.8', 'automated', 'PostgreSQL keeps an audit log'],
  ['6.2.9', null, null, 'automated', 'PostgreSQL has a private address only'],
  ['6.3.1', '6.3.1', '6.3.1', 'automated', 'SQL Server runs no external scripts'],
  ['6.3.2', '6.3.2', '6.3.2', 'automated', 'SQL Server keeps ownership within each database'],
  ['6.3.3', '6.3.3', '6.3.3', 'automated', 'SQL Server does not limit connections'],
  ['6.3.4', '6.3.4', '6.3.4', 'automated', 'SQL Server sets no options for all users'],
  ['6.3.5', '6.3.5', '6.3.5', 'automated', 'SQL Server runs no procedures for other servers'],
  ['6.3.6', '6.3.6', '6.3.6', 'automated', 'SQL Server tells strangers little in its errors'],
  ['6.3.7', '6.3.7', '6.3.7', 'automated', 'SQL Server signs no one in by contained databases'],
  ['6.4', '6.4', '6.4', 'automated', 'Databases accept encrypted connections only'],
  ['6.5', '6.5', '6.5', 'automated', 'Databases do not admit the whole internet'],
  [null, null, '6.6', 'manual', 'Databases know IAM accounts'],
  ['6.6', '6.6', '6.7', 'automated', 'Databases have no public address'],
  ['6.7', '6.7', '6.8', 'automated', 'Databases are backed up'],
  [null, null, '6.9', 'manual', 'Databases cannot be deleted by a slip'],

  ['7.1', '7.1', '7.1', 'automated', 'Datasets are not open to the public'],
  ['7.2', '7.2', '7.2', 'automated', 'Tables are encrypted with keys of yours'],
  ['7.3', '7.3', '7.3', 'automated', 'Datasets name a default key of yours'],
  [null, '7.4', '7.4', 'manual', 'Data in BigQuery is classified'],

  ['1.17', '8.1', '8.1', 'automated', 'Dataproc clusters are encrypted with keys of yours'],
];

const SECTIONS: readonly (readonly [prefix: string, section: string])[] = [
  ['1.', 'Identity and access'],
  ['2.', 'Logging and monitoring'],
  ['3.', 'Networking'],
  ['4.', 'Virtual machines'],
  ['5.', 'Storage'],
  ['6.1.', 'Cloud SQL: MySQL'],
  ['6.2.', 'Cloud SQL: PostgreSQL'],
  ['6.3.', 'Cloud SQL: SQL Server'],
  ['6.', 'Cloud SQL'],
  ['7.', 'BigQuery'],
  ['8.', 'Dataproc'],
];

const COLUMNS = { 'cis-gcp-2.0': 0, 'cis-gcp-4.0': 1, 'cis-gcp-5.0': 2 } as const;

/** Every requirement of a version, in its order. */
export const REQUIREMENTS: Readonly<Record<Framework, readonly FrameworkRequirement[]>> = {
  'cis-gcp-2.0': requirementsOf('cis-gcp-2.0'),
  'cis-gcp-4.0': requirementsOf('cis-gcp-4.0'),
  'cis-gcp-5.0': requirementsOf('cis-gcp-5.0'),
};

function requirementsOf(framework: Framework): readonly FrameworkRequirement[] {
  return ROWS.flatMap((row) => {
    const id = row[COLUMNS[framework]];
    if (id === null) return [];
    const section = SECTIONS.find(([prefix]) => id.startsWith(prefix))?.[1] ?? '';
    return [{ id, section, title: row[4], assessment: row[3] }];
  }).toSorted((a, b) => compareIds(a.id, b.id));
}

/** Number by number: 1.9 comes before 1.10. */
function compareIds(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (const [at, number] of left.entries()) {
    const difference = number - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
