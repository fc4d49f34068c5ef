import { child, isTrue, type JsonObject, objects, text } from '../json.ts';
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

/** The value of a database flag as it is set; null where it is not, and the engine's default holds. */
export function databaseFlag(instance: JsonObject, name: string): string | null {
  const flag = objects(sqlSettings(instance), 'databaseFlags').find((item) => item.name === name);
  return flag === undefined ? null : (text(flag, 'value') ?? '');
}
