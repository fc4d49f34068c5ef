import type { Notice } from '../../platform/mail/mail.ts';
import { quoted } from '../../platform/mail/render.ts';
import type { DisabledCode } from './view.ts';

const WHY_DISABLED: Readonly<Record<DisabledCode, string>> = {
  GONE: 'its receiver answered with status 410, which asks for no further events',
  FAILING: 'every attempt to deliver an event has failed for five days',
};

interface DisabledWebhook {
  readonly tenantName: string;
  /** The host of its URL. */
  readonly host: string;
  readonly reason: DisabledCode;
  readonly at: Date;
}

/** To the administrators of a tenant whose webhook the service disabled. */
export function webhookDisabled({ tenantName, host, reason, at }: DisabledWebhook): Notice {
  return {
    template: 'webhook-disabled',
    limit: null,
    isOfTenant: true,
    isForAdmins: true,
    content: () => ({
      subject: `A webhook of ${tenantName} was disabled`,
      paragraphs: [
        `The webhook of your tenant ${quoted(tenantName)} at ${host} was disabled at ${at.toISOString()}, because ${WHY_DISABLED[reason]}.`,
        'It gets no further events until somebody enables it again. The list of its deliveries has the last attempts.',
        'You receive this mail because you are an administrator of the tenant.',
      ],
    }),
  };
}
