import type { Notice } from '../../platform/mail/mail.ts';
import { quoted } from '../../platform/mail/render.ts';
import type { DisabledCode } from './view.ts';

const WHY_DISABLED: Readonly<Record<DisabledCode, string>> = {
  CREATOR_REMOVED: 'has left the tenant',
  CREATOR_DISABLED: 'has a disabled account',
  CREATOR_NOT_PERMITTED: 'no longer has the permission scans.launch',
};

interface DisabledSchedules {
  readonly tenantName: string;
  readonly count: number;
  readonly reason: DisabledCode;
  readonly at: Date;
}

/** To the administrators of a tenant whose schedules lost the person that they act for. */
export function schedulesDisabled({ tenantName, count, reason, at }: DisabledSchedules): Notice {
  return {
    template: 'schedules-disabled',
    limit: null,
    isOfTenant: true,
    isForAdmins: true,
    content: () => ({
      subject: `Scheduled scans of ${tenantName} have stopped`,
      paragraphs: [
        `${count === 1 ? 'A schedule' : `${count} schedules`} of your tenant ${quoted(tenantName)} ${count === 1 ? 'was' : 'were'} disabled at ${at.toISOString()}, because ${count === 1 ? 'its' : 'their'} owner ${WHY_DISABLED[reason]}.`,
        'No further scans are launched until somebody enables a schedule again. It then acts with the permissions of that person. The audit trail lists the disabled schedules.',
        'You receive this mail because you are an administrator of the tenant.',
      ],
    }),
  };
}
