import { describe, expect, it } from 'vitest';
import { auditLogsOf } from './audit-config.ts';

describe('the audit logs of a policy', () => {
  it('the audit log types of a policy are the same as numbers in snake_case and as names in camelCase', () => {
    const exported = {
      audit_configs: [
        {
          service: 'allServices',
          audit_log_configs: [
            { log_type: 1 },
            { log_type: 2, exempted_members: ['user:x@y'] },
            { log_type: 3 },
          ],
        },
      ],
    };
    const rest = {
      auditConfigs: [
        {
          service: 'allServices',
          auditLogConfigs: [
            { logType: 'ADMIN_READ' },
            { logType: 'DATA_WRITE', exemptedMembers: ['user:x@y'] },
            { logType: 'DATA_READ' },
          ],
        },
      ],
    };
    expect(auditLogsOf(exported)).toEqual(auditLogsOf(rest));
    expect(auditLogsOf(rest)).toEqual([
      { service: 'allServices', type: 'ADMIN_READ', exemptedMembers: [] },
      { service: 'allServices', type: 'DATA_WRITE', exemptedMembers: ['user:x@y'] },
      { service: 'allServices', type: 'DATA_READ', exemptedMembers: [] },
    ]);
  });

  it.each([0, 4, 1.5, '', 'LOG_TYPE_UNSPECIFIED', null, true, [1], undefined])(
    'the invalid audit log type %j is ignored',
    (type) => {
      const config = {
        service: 's',
        audit_log_configs: [type === undefined ? {} : { log_type: type }],
      };
      expect(auditLogsOf({ audit_configs: [config] })).toEqual([]);
    },
  );
});
