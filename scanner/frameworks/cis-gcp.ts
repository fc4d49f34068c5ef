import type { Framework } from '../compliance.ts';

/** One requirement of a benchmark. */
export interface FrameworkRequirement {
  readonly id: string;
  readonly section: string;
  /** In our words, because the benchmark's text is copyrighted. */
  readonly title: string;
  /** How the benchmark assesses the requirement. */
  readonly assessment: 'automated' | 'manual';
}

/** The number of a requirement in versions 2.0, 4.0 and 5.0, null if the version does not have it. */
type Row = readonly [
  v2: string | null,
  v4: string | null,
  v5: string | null,
  assessment: 'automated' | 'manual',
  title: string,
];

/*
 * The CIS Google Cloud Foundations benchmark. Version 5.0 begins with four requirements on the organization, which
 * shifts the first section by one; 1.17 of version 2.0 is a section of its own from 3.0 on.
 */
const ROWS: readonly Row[] = [
  [null, null, '1.1.1', 'manual', 'Super administrators have a separate account'],
  [null, null, '1.1.2', 'manual', 'Super administrators have no Google Cloud role'],
  [null, null, '1.1.3', 'manual', 'Folders separate environments and sensitivity levels'],
  [null, null, '1.1.4', 'manual', 'Organization policies define a baseline'],
  ['1.1', '1.1', '1.2', 'manual', 'People sign in with corporate accounts'],
  ['1.2', '1.2', '1.3', 'manual', 'People sign in with multi-factor authentication'],
  ['1.3', '1.3', '1.4', 'manual', 'Administrators sign in with a security key'],
  ['1.4', '1.4', '1.5', 'automated', 'Service accounts have only Google-managed keys'],
  ['1.5', '1.5', '1.6', 'automated', 'Service accounts have no administrator roles'],
  ['1.6', '1.6', '1.7', 'automated', 'Nobody can act as every service account of a project'],
  ['1.7', '1.7', '1.8', 'automated', 'Service account keys are rotated every 90 days'],
  [
    '1.8',
    '1.8',
    '1.9',
    'automated',
    'Service account administrators cannot act as service accounts',
  ],
  ['1.9', '1.9', '1.10', 'automated', 'Encryption keys are not public'],
  ['1.10', '1.10', '1.11', 'automated', 'Encryption keys rotate every 90 days'],
  ['1.11', '1.11', '1.12', 'automated', 'Encryption key administrators cannot use the keys'],
  ['1.12', '1.12', '1.13', 'automated', 'API keys exist only for active services'],
  ['1.13', '1.13', '1.14', 'manual', 'API keys are restricted to specific hosts and apps'],
  ['1.14', '1.14', '1.15', 'automated', 'API keys are restricted to the required APIs'],
  ['1.15', '1.15', '1.16', 'automated', 'API keys are rotated every 90 days'],
  [
    '1.16',
    '1.16',
    '1.17',
    'automated',
    'Essential contacts receive security and technical notifications',
  ],
  ['1.18', '1.17', '1.18', 'manual', 'Functions read secrets from Secret Manager'],

  ['2.1', '2.1', '2.1', 'automated', 'Audit logs record all data access by all users'],
  [null, null, '2.2', 'manual', 'Google Workspace audit logs are sent to Google Cloud'],
  ['2.2', '2.2', '2.3', 'automated', 'A sink exports every log entry'],
  ['2.3', '2.3', '2.4', 'automated', 'Buckets of exported logs have a locked retention policy'],
  ['2.4', '2.4', '2.5', 'automated', 'Changes of project ownership trigger an alert'],
  ['2.5', '2.5', '2.6', 'automated', 'Changes of the audit configuration trigger an alert'],
  ['2.6', '2.6', '2.7', 'automated', 'Changes of custom roles trigger an alert'],
  ['2.7', '2.7', '2.8', 'automated', 'Changes of firewall rules trigger an alert'],
  ['2.8', '2.8', '2.9', 'automated', 'Changes of routes trigger an alert'],
  ['2.9', '2.9', '2.10', 'automated', 'Changes of networks trigger an alert'],
  ['2.10', '2.10', '2.11', 'automated', 'Changes of bucket IAM policies trigger an alert'],
  ['2.11', '2.11', '2.12', 'automated', 'Changes of database instances trigger an alert'],
  ['2.12', '2.12', '2.13', 'automated', 'DNS queries of every network are logged'],
  ['2.13', '2.13', '2.14', 'automated', 'Cloud Asset Inventory is enabled'],
  ['2.14', '2.14', '2.15', 'manual', 'Access Transparency is enabled'],
  ['2.15', '2.15', '2.16', 'automated', 'Access Approval is enabled'],
  ['2.16', '2.16', '2.17', 'automated', 'Load balancers log requests'],

  ['3.1', '3.1', '3.1', 'automated', 'The default network does not exist'],
  ['3.2', '3.2', '3.2', 'automated', 'Legacy networks do not exist'],
  ['3.3', '3.3', '3.3', 'automated', 'Public DNS zones use DNSSEC'],
  ['3.4', '3.4', '3.4', 'automated', 'DNSSEC key-signing keys do not use SHA-1'],
  ['3.5', '3.5', '3.5', 'automated', 'DNSSEC zone-signing keys do not use SHA-1'],
  ['3.6', '3.6', '3.6', 'automated', 'SSH is not open to the internet'],
  ['3.7', '3.7', '3.7', 'automated', 'RDP is not open to the internet'],
  [null, null, '3.8', 'manual', 'Service perimeters protect sensitive resources'],
  [null, null, '3.9', 'manual', 'Google APIs are accessed through Private Service Connect'],
  ['3.8', '3.8', '3.10', 'automated', 'Every subnetwork has flow logs'],
  ['3.9', '3.9', '3.11', 'manual', 'Load balancers refuse weak ciphers'],
  [
    '3.10',
    '3.10',
    '3.12',
    'manual',
    'Traffic to protected backends comes only from Identity-Aware Proxy',
  ],

  ['4.1', '4.1', '4.1', 'automated', 'Instances do not use the default service account'],
  [
    '4.2',
    '4.2',
    '4.2',
    'automated',
    'Instances do not use the default service account with full API access',
  ],
  ['4.3', '4.3', '4.3', 'automated', 'Instances block project-wide SSH keys'],
  ['4.4', '4.4', '4.4', 'automated', 'OS Login is enabled'],
  ['4.5', '4.5', '4.5', 'automated', 'Serial ports are disabled'],
  ['4.6', '4.6', '4.6', 'automated', 'Instances do not forward packets'],
  ['4.7', '4.7', '4.7', 'automated', 'Disks are encrypted with customer-managed keys'],
  ['4.8', '4.8', '4.8', 'automated', 'Instances are shielded'],
  ['4.9', '4.9', '4.9', 'automated', 'Instances have no public IP address'],
  ['4.10', '4.10', '4.10', 'manual', 'App Engine accepts HTTPS only'],
  ['4.11', '4.11', '4.11', 'automated', 'Instances use confidential computing'],
  ['4.12', '4.12', '4.12', 'manual', 'Operating systems are updated'],

  ['5.1', '5.1', '5.1', 'automated', 'Buckets are not public'],
  ['5.2', '5.2', '5.2', 'automated', 'Buckets use uniform bucket-level access'],

  ['6.1.1', '6.1.1', '6.1.1', 'manual', 'MySQL administrators need a password'],
  ['6.1.2', '6.1.2', '6.1.2', 'automated', 'MySQL restricts SHOW DATABASES'],
  ['6.1.3', '6.1.3', '6.1.3', 'automated', 'MySQL does not load local files of clients'],
  ['6.2.1', '6.2.1', '6.2.1', 'automated', 'PostgreSQL error logs are not verbose'],
  ['6.2.2', '6.2.2', '6.2.2', 'automated', 'PostgreSQL logs connections'],
  ['6.2.3', '6.2.3', '6.2.3', 'automated', 'PostgreSQL logs disconnections'],
  ['6.2.4', '6.2.4', '6.2.4', 'automated', 'PostgreSQL logs DDL statements'],
  ['6.2.5', '6.2.5', '6.2.5', 'automated', 'PostgreSQL logs messages from warning upwards'],
  ['6.2.6', '6.2.6', '6.2.6', 'automated', 'PostgreSQL logs statements that cause errors'],
  ['6.2.7', '6.2.7', '6.2.7', 'automated', 'PostgreSQL does not log slow statements'],
  ['6.2.8', '6.2.8', '6.2.8', 'automated', 'PostgreSQL has an audit log'],
  ['6.2.9', null, null, 'automated', 'PostgreSQL has only a private IP address'],
  ['6.3.1', '6.3.1', '6.3.1', 'automated', 'SQL Server does not run external scripts'],
  ['6.3.2', '6.3.2', '6.3.2', 'automated', 'SQL Server disables cross-database ownership chaining'],
  ['6.3.3', '6.3.3', '6.3.3', 'automated', 'SQL Server does not limit user connections'],
  ['6.3.4', '6.3.4', '6.3.4', 'automated', 'SQL Server does not set user options'],
  ['6.3.5', '6.3.5', '6.3.5', 'automated', 'SQL Server disables remote access'],
  ['6.3.6', '6.3.6', '6.3.6', 'automated', 'SQL Server masks error messages (trace flag 3625)'],
  ['6.3.7', '6.3.7', '6.3.7', 'automated', 'SQL Server disables contained database authentication'],
  ['6.4', '6.4', '6.4', 'automated', 'Databases accept encrypted connections only'],
  ['6.5', '6.5', '6.5', 'automated', 'Databases are not open to the whole internet'],
  [null, null, '6.6', 'manual', 'Databases use IAM authentication'],
  ['6.6', '6.6', '6.7', 'automated', 'Databases have no public IP address'],
  ['6.7', '6.7', '6.8', 'automated', 'Databases have automated backups'],
  [null, null, '6.9', 'manual', 'Databases have deletion protection'],

  ['7.1', '7.1', '7.1', 'automated', 'BigQuery datasets are not public'],
  ['7.2', '7.2', '7.2', 'automated', 'BigQuery tables are encrypted with customer-managed keys'],
  ['7.3', '7.3', '7.3', 'automated', 'BigQuery datasets have a customer-managed default key'],
  [null, '7.4', '7.4', 'manual', 'Data in BigQuery is classified'],

  ['1.17', '8.1', '8.1', 'automated', 'Dataproc clusters are encrypted with customer-managed keys'],
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

/** Every requirement of a version, in order. */
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

/** Compares number by number: 1.9 comes before 1.10. */
function compareIds(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (const [at, number] of left.entries()) {
    const difference = number - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
