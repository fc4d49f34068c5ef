import type { Origin } from '../../../platform/audit-writer.ts';
import type { Notice } from '../../../platform/mail/mail.ts';
import { quoted } from '../../../platform/mail/render.ts';

/** A change of the identity provider of a tenant. */
interface ProviderChange {
  readonly tenantName: string;
  readonly change: 'configured' | 'removed';
  /** The e-mail address of the person, or the name of the shared credential. */
  readonly by: string;
}

/** To a person who signs in by an identity provider that they have not confirmed yet. */
export function confirmSignIn(token: string, { at, ip }: Pick<Origin, 'at' | 'ip'>): Notice {
  return {
    template: 'confirm-sign-in',
    limit: 'mail-confirmation',
    isOfTenant: true,
    content: () => ({
      subject: 'Confirm your sign-in',
      paragraphs: [
        `Somebody signed in to your account through the identity provider of your tenant at ${at.toISOString()} from the IP address ${ip}.`,
        'If this was you, copy this code into the page where you signed in:',
        token,
        'The code expires 10 minutes after the sign-in. If this was not you, do not share the code and inform your administrator: somebody can use the identity provider in your name.',
      ],
    }),
  };
}

/** To the administrators of a tenant whose identity provider was changed. */
export function singleSignOnChanged(
  { tenantName, change, by }: ProviderChange,
  { at, ip }: Pick<Origin, 'at' | 'ip'>,
): Notice {
  return {
    template: 'single-sign-on-changed',
    limit: null,
    isOfTenant: true,
    content: () => ({
      subject: `Single sign-on of ${tenantName} was changed`,
      paragraphs: [
        `The identity provider of your tenant ${quoted(tenantName)} was ${change} by ${by} at ${at.toISOString()} from the IP address ${ip}.`,
        'An identity provider can sign in as any member whose address it may vouch for. If you did not expect this change, check the single sign-on settings and the audit trail.',
        'You receive this mail because you are an administrator of the tenant.',
      ],
    }),
  };
}
