import { type JsonObject, type JsonValue, objects, strings, text } from '../json.ts';
import { isEnum } from './enumeration.ts';

/*
 * Fields: cloudresourcemanager v3, discovery revision 20261026.
 */

type AuditLogType = 'ADMIN_READ' | 'DATA_WRITE' | 'DATA_READ';

/** One kind of audit log that a policy enables for a service. */
export interface AuditLog {
  /** `allServices`, or a service such as `storage.googleapis.com`. */
  readonly service: string;
  readonly type: AuditLogType;
  /** Members whose calls are not logged. */
  readonly exemptedMembers: readonly string[];
}

/** Sorted by their numbers in the API, which some exports use; numbers start at 1. */
const TYPES: readonly AuditLogType[] = ['ADMIN_READ', 'DATA_WRITE', 'DATA_READ'];

/** The audit logs that an IAM policy enables. */
export function auditLogsOf(policy: JsonObject): readonly AuditLog[] {
  return objects(policy, 'audit_configs', 'auditConfigs').flatMap((config) => {
    const service = text(config, 'service') ?? '';
    return objects(config, 'audit_log_configs', 'auditLogConfigs').flatMap((log) => {
      const type = logType(log.log_type ?? log.logType);
      const exemptedMembers = strings(log, 'exempted_members', 'exemptedMembers');
      return type === undefined ? [] : [{ service, type, exemptedMembers }];
    });
  });
}

function logType(value: JsonValue | undefined): AuditLogType | undefined {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : null;
  return TYPES.find((type, index) => isEnum(value, type) || number === index + 1);
}
