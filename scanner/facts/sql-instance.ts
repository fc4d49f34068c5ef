import { child, isObject, isTrue, items, type JsonObject, type JsonValue, text } from '../json.ts';
import { enumAt, isEnum } from './enumeration.ts';

/*
 * Fields: sqladmin v1, discovery revision 20261006.
 */

export function sqlSettings(instance: JsonObject): JsonObject | null {
  return child(instance, 'settings');
}

export function ipConfiguration(instance: JsonObject): JsonObject | null {
  return child(sqlSettings(instance), 'ipConfiguration');
}

/**
 * Whether the record only represents a database server outside of Cloud SQL, from which a replica copies. It has no
 * settings, and cannot be changed.
 */
export function isOutsideCloudSql(instance: JsonObject): boolean {
  return enumAt(instance, 'instanceType') === 'ONPREMISESINSTANCE';
}

/** A read replica, or a pool of them, is backed up through its primary. */
export function isReadReplica(instance: JsonObject): boolean {
  const type = enumAt(instance, 'instanceType');
  return type === 'READREPLICAINSTANCE' || type === 'READPOOLINSTANCE';
}

/**
 * Whether unencrypted clients are refused. `sslMode` decides if it is set; the API keeps the older `requireSsl` for old
 * clients, and the two can disagree.
 */
export function demandsEncryption(instance: JsonObject): boolean {
  const configuration = ipConfiguration(instance);
  const mode = enumAt(configuration, 'sslMode');
  if (mode === null || mode === 'SSLMODEUNSPECIFIED') return isTrue(configuration, 'requireSsl');
  return ENCRYPTED_MODES.has(mode);
}

/** The SSL modes that turn unencrypted connections away, in capitals and without underscores. */
const ENCRYPTED_MODES: ReadonlySet<string> = new Set([
  'ENCRYPTEDONLY',
  'TRUSTEDCLIENTCERTIFICATEREQUIRED',
]);

const ENGINES = ['MYSQL', 'POSTGRES', 'SQLSERVER'] as const;

export type SqlEngine = (typeof ENGINES)[number];

/** By the prefix of the version, as in POSTGRES_15; null if the record has no version. */
export function sqlEngine(instance: JsonObject): SqlEngine | 'OTHER' | null {
  const version = text(instance, 'databaseVersion');
  if (version === null || isEnum(version, 'SQL_DATABASE_VERSION_UNSPECIFIED')) return null;
  return (
    ENGINES.find((engine) => version.startsWith(engine)) ??
    ENGINES.find((engine) => isEnum(version.slice(0, engine.length), engine)) ??
    'OTHER'
  );
}

/** Whether point-in-time recovery is enabled: for MySQL by its binary log, for others by a setting. */
export function recoversToPoint(instance: JsonObject): boolean {
  const backups = child(sqlSettings(instance), 'backupConfiguration');
  if (isTrue(backups, 'pointInTimeRecoveryEnabled')) return true;
  if (!isTrue(backups, 'binaryLogEnabled')) return false;
  const engine = sqlEngine(instance);
  return engine === 'MYSQL' || engine === null;
}

/**
 * The configured value of a database flag; '' for an empty value, null if it is not set and the engine's default
 * applies.
 *
 * @param name in lower case
 */
export function databaseFlag(instance: JsonObject, name: string): string | null {
  for (const flag of items(sqlSettings(instance), 'databaseFlags')) {
    if (isObject(flag) && isName(flag.name, name)) return plainValue(flag.value);
  }
  return null;
}

function isName(value: JsonValue | undefined, name: string): boolean {
  if (value === name) return true;
  return typeof value === 'string' && value.length === name.length && value.toLowerCase() === name;
}

function plainValue(value: JsonValue | undefined): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}
