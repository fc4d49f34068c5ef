import type { Notice } from '../../platform/mail/mail.ts';
import { quoted } from '../../platform/mail/render.ts';

interface Invitation {
  readonly token: string;
  readonly tenantName: string;
  /**
   * Whether the person still has to prove the address, because the account is new or was never confirmed. They set a
   * password; everyone else confirms the invitation and keeps theirs.
   */
  readonly newPerson: boolean;
}

export function invitation({ token, tenantName, newPerson }: Invitation): Notice {
  return {
    template: 'invitation',
    limit: 'mail-invitation',
    isOfTenant: true,
    content: (web) => ({
      subject: `Invitation to ${tenantName}`,
      paragraphs: [
        `You are invited to join ${quoted(tenantName)}.`,
        newPerson
          ? 'Choose a password to accept.'
          : 'You already have an account and keep its password.',
      ],
      action: newPerson
        ? { label: 'Choose a password', link: web.page('/reset-password', { token }) }
        : { label: 'Accept the invitation', link: web.page('/accept-invite', { token }) },
      after:
        'The link is valid for 7 days and can be used once. If you did not expect the invitation, ignore this mail.',
    }),
  };
}
