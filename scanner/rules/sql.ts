import { cis, NO_REQUIREMENT } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isEnum } from '../facts/enumeration.ts';
import { coversInternet } from '../facts/internet.ts';
import {
  demandsEncryption,
  ipConfiguration,
  isReadReplica,
  recoversToPoint,
  sqlSettings,
} from '../facts/sql-instance.ts';
import { child, isTrue, objects, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';
import { sqlIamAuth } from './sql-iam-auth.ts';

/** Its assets are named //cloudsql.googleapis.com/…; the type keeps the older name of the API. */
const INSTANCE = ['sqladmin.googleapis.com/Instance'];

const sqlBackup = resourceRule(
  {
    id: 'sql-backup',
    title: 'Database has no automated backups',
    severity: 'medium',
    category: 'database',
    assetTypes: INSTANCE,
    description:
      'Without automated backups a dropped table, a bad migration or a ransom note is final. Read replicas rely on those of their primary.',
    remediation: 'Switch them on: gcloud sql instances patch INSTANCE --backup-start-time=HH:MM.',
    compliance: cis({ v4: '6.7', v5: '6.8' }),
  },
  (instance) => {
    if (isReadReplica(instance)) return NOT_APPLICABLE;
    const backups = child(sqlSettings(instance), 'backupConfiguration');
    if (isTrue(backups, 'enabled')) return PASS;
    return fail({
      message: 'Automated backups are off for this instance.',
      evidence: [cite('settings.backupConfiguration.enabled', backups?.enabled)],
    });
  },
);

const sqlPublicIp = resourceRule(
  {
    id: 'sql-public-ip',
    title: 'Database has a public address',
    severity: 'medium',
    category: 'database',
    assetTypes: INSTANCE,
    description:
      'A database with a public address is kept from the internet by its list of networks and its passwords alone. A private address keeps it inside your network.',
    remediation:
      'Give it a private address and take the public one away: gcloud sql instances patch INSTANCE --network=NETWORK --no-assign-ip.',
    compliance: cis({ v4: '6.6', v5: '6.7' }),
  },
  (instance) => {
    const configuration = ipConfiguration(instance);
    const primary = objects(instance, 'ipAddresses').find(({ type }) => isEnum(type, 'PRIMARY'));
    if (!isTrue(configuration, 'ipv4Enabled') && primary === undefined) return PASS;
    return fail({
      message: 'This instance has, or is given, a public address.',
      evidence: [
        cite('settings.ipConfiguration.ipv4Enabled', configuration?.ipv4Enabled),
        cite('ipAddresses[].ipAddress', primary?.ipAddress),
      ],
    });
  },
);

const sqlSsl = resourceRule(
  {
    id: 'sql-ssl',
    title: 'Database accepts unencrypted connections',
    severity: 'high',
    category: 'database',
    assetTypes: INSTANCE,
    description:
      'Unless the instance insists on TLS, a client that is set up badly sends its password and its data in the clear. The SSL mode decides; the older requireSsl does only where no mode is set.',
    remediation:
      'Have clients encrypt, then insist on it: gcloud sql instances patch INSTANCE --ssl-mode=ENCRYPTED_ONLY.',
    compliance: cis({ v4: '6.4', v5: '6.4' }),
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

const sqlPublicNetworks = resourceRule(
  {
    id: 'sql-public-networks',
    title: 'Database admits the whole internet',
    severity: 'critical',
    category: 'database',
    assetTypes: INSTANCE,
    description:
      'The authorised networks say who may connect to the public address. Taken together they should not cover the internet, neither as 0.0.0.0/0 nor in pieces. An expiry date on an entry is not counted on.',
    remediation:
      'List the networks that need it, or connect through the Cloud SQL Auth Proxy without any: gcloud sql instances patch INSTANCE --authorized-networks=RANGES.',
    compliance: cis({ v4: '6.5', v5: '6.5' }),
  },
  (instance) => {
    const networks = objects(ipConfiguration(instance), 'authorizedNetworks');
    const ranges = networks.map((network) => text(network, 'value')?.trim() ?? '');
    if (!coversInternet(ranges)) return PASS;
    return fail({
      message: 'The authorised networks of this instance cover the internet.',
      evidence: [cite('settings.ipConfiguration.authorizedNetworks[].value', ranges)],
    });
  },
);

const sqlPitr = resourceRule(
  {
    id: 'sql-pitr',
    title: 'Database cannot be restored to a point in time',
    severity: 'low',
    category: 'database',
    assetTypes: INSTANCE,
    description:
      'Backups alone lose what was written since the last one. With point-in-time recovery, for which MySQL keeps its binary log, any moment of the last days can be restored. Read replicas rely on their primary.',
    remediation:
      'Switch it on: gcloud sql instances patch INSTANCE --enable-point-in-time-recovery, or --enable-bin-log for MySQL.',
    compliance: NO_REQUIREMENT,
  },
  (instance) => {
    if (isReadReplica(instance)) return NOT_APPLICABLE;
    if (recoversToPoint(instance)) return PASS;
    const backups = child(sqlSettings(instance), 'backupConfiguration');
    return fail({
      message: 'Point-in-time recovery is off for this instance.',
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

const sqlDeletionProtection = resourceRule(
  {
    id: 'sql-deletion-protection',
    title: 'Database can be deleted by one call',
    severity: 'low',
    category: 'database',
    assetTypes: INSTANCE,
    description:
      'Deleting an instance deletes its backups too, unless they are kept on purpose. Deletion protection has to be switched off first, which no slip of the hand and no careless script does.',
    remediation: 'Switch it on: gcloud sql instances patch INSTANCE --deletion-protection.',
    compliance: cis({ v4: null, v5: '6.9' }),
  },
  (instance) => {
    const settings = sqlSettings(instance);
    if (isTrue(settings, 'deletionProtectionEnabled')) return PASS;
    return fail({
      message: 'Deletion protection is off for this instance.',
      evidence: [cite('settings.deletionProtectionEnabled', settings?.deletionProtectionEnabled)],
    });
  },
);

export const SQL_RULES: readonly Rule[] = [
  sqlBackup,
  sqlDeletionProtection,
  sqlIamAuth,
  sqlPitr,
  sqlPublicIp,
  sqlPublicNetworks,
  sqlSsl,
];
