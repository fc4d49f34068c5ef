import { child, isObject, isTrue, items, type JsonObject, type JsonValue, text } from '../json.ts';
import { enumAt, isEnum } from './enumeration.ts';

export function sqlSettings(instance: JsonObject): JsonObject | null {
  return child(instance, 'settings');
}

export function ipConfiguration(instance: JsonObject): JsonObject | null {
  return child(sqlSettings(instance), 'ipConfiguration');
}

/** A read replica takes its backups from its primary. */
export function isReadReplica(instance: JsonObject): boolean {
  return isEnum(instance.instanceType, 'READ_REPLICA_INSTANCE');
}

/**
 * Whether clients that do not encrypt are turned away. `sslMode` decides where it is set; its older twin `requireSsl`
 * is kept up by the API for old clients, and can contradict it.
 */
export function demandsEncryption(instance: JsonObject): boolean {
  const configuration = ipConfiguration(instance);
  const mode = enumAt(configuration, 'sslMode');
  if (mode === null || mode === 'SSLMODEUNSPECIFIED') return isTrue(configuration, 'requireSsl');
  return mode !== 'ALLOWUNENCRYPTEDANDENCRYPTED';
}

const ENGINES = ['MYSQL', 'POSTGRES', 'SQLSERVER'] as const;

export type SqlEngine = (typeof ENGINES)[number];

/** By the beginning of the version, as in POSTGRES_15; null where the record tells no version. */
export function sqlEngine(instance: JsonObject): SqlEngine | 'OTHER' | null {
  const version = text(instance, 'databaseVersion');
  if (version === null || isEnum(version, 'SQL_DATABASE_VERSION_UNSPECIFIED')) return null;
  return (
    ENGINES.find((engine) => version.startsWith(engine)) ??
    ENGINES.find((engine) => isEnum(version.slice(0, engine.length), engine)) ??
    'OTHER'
  );
}

/** Whether any moment of the last days can be restored: MySQL does so from its binary log, the others by a switch. */
export function recoversToPoint(instance: JsonObject): boolean {
  const backups = child(sqlSettings(instance), 'backupConfiguration');
  if (isTrue(backups, 'pointInTimeRecoveryEnabled')) return true;
  if (!isTrue(backups, 'binaryLogEnabled')) return false;
  const engine = sqlEngine(instance);
  return engine !== 'POSTGRES' && engine !== 'SQLSERVER';
}

/**
 * The value of a database flag as it is set; '' for a flag that is set to none, null where it is not set, and the
 * engine's default holds.
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
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
