import type { Origin } from '../../../platform/audit-writer.ts';
import type { Notice } from '../../../platform/mail/mail.ts';
import { quoted } from '../../../platform/mail/render.ts';

/** To the administrators of a tenant in which the master key was used. */
export function breakGlassUsed(
  { tenantName, reason }: { readonly tenantName: string; readonly reason: string | null },
  { at, ip }: Pick<Origin, 'at' | 'ip'>,
): Notice {
  return {
    template: 'break-glass',
    limit: null,
    isOfTenant: true,
    content: () => ({
      subject: `The master key was used on ${tenantName}`,
      paragraphs: [
        `The master key of this service was used on your tenant ${quoted(tenantName)} at ${at.toISOString()} from the IP address ${ip}.`,
        reason === null ? 'No reason was given.' : `Reason: ${reason}`,
        'The audit trail lists the actions. You receive this mail because you are an administrator of the tenant.',
      ],
    }),
  };
}
