import type { Origin } from '../../../platform/audit-writer.ts';
import type { Notice } from '../../../platform/mail/mail.ts';

/** To a person whose account can be entered with a Google account from now on. */
export function googleLinked({ at, ip }: Pick<Origin, 'at' | 'ip'>): Notice {
  return {
    template: 'google-linked',
    limit: null,
    isOfTenant: false,
    content: () => ({
      subject: 'You can now sign in with Google',
      paragraphs: [
        `Somebody signed in to your account with a Google account of this e-mail address at ${at.toISOString()} from the IP address ${ip}. That Google account can sign in to your account from now on.`,
        'If this was not you, inform your administrator immediately: somebody has a Google account with your e-mail address.',
      ],
    }),
  };
}
