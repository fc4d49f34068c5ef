import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { enumAt } from '../facts/enumeration.ts';
import { coversInternet, excessOf } from '../facts/internet.ts';
import {
  demandsEncryption,
  ipConfiguration,
  isReadReplica,
  recoversToPoint,
  sqlEngine,
  sqlSettings,
} from '../facts/sql-instance.ts';
import type { Repair } from '../fixes/repair.ts';
import { set } from '../fixes/set.ts';
import { child, isObject, isTrue, type JsonObject, objects, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { sqlIamAuth } from './sql-iam-auth.ts';
import { sqlRule } from './sql-rule.ts';

/*
 * Fields: sqladmin v1, discovery revision 20261006.
 */

const PATCH = 'sql instances patch {name} --project={project}';

const sqlBackup = sqlRule(
  {
    id: 'sql-backup',
    version: 2,
    title: 'Database has no automated backups',
    severity: 'medium',
    category: 'database',
    description:
      'Without automated backups a dropped table, a bad migration or ransomware causes permanent data loss. Read replicas rely on the backups of their primary.',
    remediation: 'Switch them on: `gcloud sql instances patch INSTANCE --backup-start-time=HH:MM`.',
    compliance: cis({ v4: '6.7', v5: '6.8' }),
    fix: enableBackups,
  },
  (instance) => {
    if (isReadReplica(instance)) return NOT_APPLICABLE;
    const backups = child(sqlSettings(instance), 'backupConfiguration');
    if (isTrue(backups, 'enabled')) return PASS;
    return fail({
      message: 'Automated backups are disabled for this instance.',
      evidence: [cite('settings.backupConfiguration.enabled', backups?.enabled)],
    });
  },
);

const sqlPublicIp = sqlRule(
  {
    id: 'sql-public-ip',
    title: 'Database has a public IP address',
    severity: 'medium',
    category: 'database',
    description:
      'A database with a public IP address is protected from the internet only by its authorized networks and passwords. A private address keeps it inside your network.',
    remediation:
      'Assign a private address and remove the public one: `gcloud sql instances patch INSTANCE --network=NETWORK --no-assign-ip`.',
    compliance: cis({ v4: '6.6', v5: '6.7' }),
    fix: removePublicAddress,
  },
  (instance) => {
    const configuration = ipConfiguration(instance);
    const open = objects(instance, 'ipAddresses').find(isPublicAddress);
    if (!isTrue(configuration, 'ipv4Enabled') && open === undefined) return PASS;
    return fail({
      message: 'This instance has, or will be assigned, a public IP address.',
      evidence: [
        cite('settings.ipConfiguration.ipv4Enabled', configuration?.ipv4Enabled),
        cite('ipAddresses[].ipAddress', open?.ipAddress),
      ],
    });
  },
);

/** Address types that are not reachable from outside, and the unspecified type. */
const NOT_PUBLIC: ReadonlySet<string> = new Set([
  'PRIVATE',
  'OUTGOING',
  'SQLIPADDRESSTYPEUNSPECIFIED',
]);

/** An unknown address type counts as public. */
function isPublicAddress(address: JsonObject): boolean {
  const type = enumAt(address, 'type');
  return type !== null && !NOT_PUBLIC.has(type);
}

const sqlSsl = sqlRule(
  {
    id: 'sql-ssl',
    title: 'Database accepts unencrypted connections',
    severity: 'high',
    category: 'database',
    description:
      'Unless the instance requires TLS, a misconfigured client sends its password and data unencrypted. The SSL mode decides; the older requireSsl counts only if no mode is set.',
    remediation:
      'Enable encryption in all clients, then require it: `gcloud sql instances patch INSTANCE --ssl-mode=ENCRYPTED_ONLY`.',
    compliance: cis({ v4: '6.4', v5: '6.4' }),
    fix: set(
      { 'settings.ipConfiguration.sslMode': 'ENCRYPTED_ONLY' },
      {
        gcloud: `${PATCH} --ssl-mode=ENCRYPTED_ONLY`,
        terraform: {
          google_sql_database_instance: { 'settings.ip_configuration.ssl_mode': 'ENCRYPTED_ONLY' },
        },
        caution: 'Clients that do not use TLS can no longer connect.',
      },
    ),
  },
  (instance) => {
    if (demandsEncryption(instance)) return PASS;
    const configuration = ipConfiguration(instance);
    return fail({
      message: 'This instance accepts connections without TLS.',
      evidence: [
        cite('settings.ipConfiguration.sslMode', configuration?.sslMode),
        cite('settings.ipConfiguration.requireSsl', configuration?.requireSsl),
      ],
    });
  },
);

const sqlPublicNetworks = sqlRule(
  {
    id: 'sql-public-networks',
    title: 'Database is open to the whole internet',
    severity: 'critical',
    category: 'database',
    description:
      'The authorized networks restrict who can connect to the public address. Together they should not cover the internet, neither as 0.0.0.0/0 nor in parts. Expiry dates of entries are ignored.',
    remediation:
      'List the networks that need access, or use the Cloud SQL Auth Proxy without any: `gcloud sql instances patch INSTANCE --authorized-networks=RANGES`.',
    compliance: cis({ v4: '6.5', v5: '6.5' }),
    fix: narrowNetworks,
  },
  (instance) => {
    const networks = objects(ipConfiguration(instance), 'authorizedNetworks');
    const ranges = networks.map(rangeOf);
    if (!coversInternet(ranges)) return PASS;
    return fail({
      message: 'The authorized networks of this instance cover the internet.',
      evidence: [cite('settings.ipConfiguration.authorizedNetworks[].value', ranges)],
    });
  },
);

const sqlPitr = sqlRule(
  {
    id: 'sql-pitr',
    version: 2,
    title: 'Database has no point-in-time recovery',
    severity: 'low',
    category: 'database',
    description:
      'Backups alone lose everything written since the last one. With point-in-time recovery, which for MySQL requires its binary log, any moment of the last days can be restored. Read replicas rely on their primary.',
    remediation:
      'Enable it: `gcloud sql instances patch INSTANCE --enable-point-in-time-recovery`, or for MySQL: `gcloud sql instances patch INSTANCE --enable-bin-log`.',
    compliance: NO_REQUIREMENT,
    fix: enableRecovery,
  },
  (instance) => {
    if (isReadReplica(instance)) return NOT_APPLICABLE;
    if (recoversToPoint(instance)) return PASS;
    const backups = child(sqlSettings(instance), 'backupConfiguration');
    return fail({
      message: 'Point-in-time recovery is disabled for this instance.',
      evidence: [
        cite(
          'settings.backupConfiguration.pointInTimeRecoveryEnabled',
          backups?.pointInTimeRecoveryEnabled,
        ),
        cite('settings.backupConfiguration.binaryLogEnabled', backups?.binaryLogEnabled),
      ],
    });
  },
);

const sqlDeletionProtection = sqlRule(
  {
    id: 'sql-deletion-protection',
    title: 'Database has no deletion protection',
    severity: 'low',
    category: 'database',
    description:
      'Deleting an instance also deletes its backups, unless they are retained. Deletion protection must be disabled first, which prevents accidental deletion.',
    remediation: 'Enable it: `gcloud sql instances patch INSTANCE --deletion-protection`.',
    compliance: cis({ v4: null, v5: '6.9' }),
    fix: set(
      { 'settings.deletionProtectionEnabled': true },
      {
        gcloud: `${PATCH} --deletion-protection`,
        terraform: {
          google_sql_database_instance: { 'settings.deletion_protection_enabled': true },
        },
      },
    ),
  },
  (instance) => {
    const settings = sqlSettings(instance);
    if (isTrue(settings, 'deletionProtectionEnabled')) return PASS;
    return fail({
      message: 'Deletion protection is disabled for this instance.',
      evidence: [cite('settings.deletionProtectionEnabled', settings?.deletionProtectionEnabled)],
    });
  },
);

const BACKUPS = 'settings.backupConfiguration';
const TERRAFORM = 'google_sql_database_instance';

function enableBackups(repair: Repair): void {
  const startTime = text(child(sqlSettings(repair.data), 'backupConfiguration'), 'startTime');
  repair.set(`${BACKUPS}.enabled`, true);
  repair.gcloud(`${PATCH} --backup-start-time={startTime}`, { startTime: startTime ?? 'HH:MM' });
  repair.terraform(TERRAFORM, 'settings.backup_configuration.enabled', true);
}

/** Recovery to a point in time starts from a backup. */
function enableRecovery(repair: Repair): void {
  if (!isTrue(child(sqlSettings(repair.data), 'backupConfiguration'), 'enabled')) {
    enableBackups(repair);
  }
  const isMysql = sqlEngine(repair.data) === 'MYSQL';
  const [member, option, attribute] = isMysql
    ? ['binaryLogEnabled', '--enable-bin-log', 'binary_log_enabled']
    : [
        'pointInTimeRecoveryEnabled',
        '--enable-point-in-time-recovery',
        'point_in_time_recovery_enabled',
      ];
  repair.set(`${BACKUPS}.${member}`, true);
  repair.gcloud(`${PATCH} ${option}`);
  repair.terraform(TERRAFORM, `settings.backup_configuration.${attribute}`, true);
  repair.caution('The change can restart the instance.');
}

/** An instance can give up its public address only if clients can reach it in another way. */
function removePublicAddress(repair: Repair): void {
  const configuration = ipConfiguration(repair.data);
  const isConnected =
    text(configuration, 'privateNetwork') !== null ||
    isTrue(child(configuration, 'pscConfig'), 'pscEnabled');
  if (!isConnected) repair.refuse('needs the network for a private address');
  repair.set('settings.ipConfiguration.ipv4Enabled', false);
  repair.filterOut('', ['ipAddresses'], (one) => isObject(one) && isPublicAddress(one));
  repair.gcloud(`${PATCH} --no-assign-ip`);
  repair.terraform(TERRAFORM, 'settings.ip_configuration.ipv4_enabled', false);
  repair.caution('Clients that use the public address can no longer connect.');
}

function narrowNetworks(repair: Repair): void {
  const networks = objects(ipConfiguration(repair.data), 'authorizedNetworks').map(rangeOf);
  const isExcess = excessOf(networks);
  const kept = networks.filter((range) => !isExcess(range));
  repair.filterOut(
    'settings.ipConfiguration',
    ['authorizedNetworks'],
    (network) => isObject(network) && isExcess(rangeOf(network)),
  );
  repair.gcloud(
    kept.length === 0
      ? `${PATCH} --clear-authorized-networks`
      : `${PATCH} --authorized-networks={kept}`,
    { kept },
  );
  for (const value of new Set(networks.filter(isExcess))) {
    const attribute = 'settings.ip_configuration.authorized_networks';
    repair.terraform(TERRAFORM, attribute, null, { value });
  }
  repair.caution(
    'Clients outside of the remaining networks can no longer connect. The command replaces all networks with those of the inventory, without the public ones.',
  );
}

function rangeOf(network: JsonObject): string {
  return text(network, 'value')?.trim() ?? '';
}

export const SQL_RULES: readonly Rule[] = [
  sqlBackup,
  sqlDeletionProtection,
  sqlIamAuth,
  sqlPitr,
  sqlPublicIp,
  sqlPublicNetworks,
  sqlSsl,
];
