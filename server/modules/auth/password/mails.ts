import type { Origin } from '../../../platform/audit-writer.ts';
import type { Notice } from '../../../platform/mail/mail.ts';

/** When and from where something happened. */
type Happened = Pick<Origin, 'at' | 'ip'>;

export function verifyEmail(token: string): Notice {
  return {
    template: 'verify-email',
    limit: 'mail-link',
    isOfTenant: false,
    content: (web) => ({
      subject: 'Confirm your e-mail address',
      paragraphs: [
        'An account was registered with this e-mail address. Confirm the address to sign in.',
      ],
      action: { label: 'Confirm the address', link: web.page('/verify-email', { token }) },
      after:
        'The link is valid for 48 hours and can be used once. If you did not register, do not follow it: the person who registered could then sign in with your address.',
    }),
  };
}

export function resetPassword(token: string): Notice {
  return {
    template: 'reset-password',
    limit: 'mail-link',
    isOfTenant: false,
    content: (web) => ({
      subject: 'Choose a new password',
      paragraphs: ['A new password was requested for your account.'],
      action: { label: 'Choose a new password', link: web.page('/reset-password', { token }) },
      after:
        'The link is valid for one hour and can be used once. If you did not request it, ignore this mail; your password does not change.',
    }),
  };
}

/** Someone tried to register with the address of an existing account. */
export function accountExists(): Notice {
  return {
    template: 'account-exists',
    limit: 'mail-account-exists',
    isOfTenant: false,
    content: () => ({
      subject: 'You already have an account',
      paragraphs: [
        'Somebody tried to register an account with this e-mail address. You already have an account, and it was not changed.',
        'If this was you, sign in or request a new password on the sign-in page. Otherwise you do not need to do anything.',
      ],
    }),
  };
}

export function passwordChanged({ at, ip }: Happened): Notice {
  return {
    template: 'password-changed',
    limit: null,
    isOfTenant: false,
    content: () => ({
      subject: 'Your password was changed',
      paragraphs: [
        `The password of your account was changed at ${at.toISOString()} from the IP address ${ip}. All other sessions have ended.`,
        'If this was not you, request a new password immediately and inform your administrator.',
      ],
    }),
  };
}

/** To a person who accepted an invitation by setting a password. */
export function passwordSet({ at, ip }: Happened): Notice {
  return {
    template: 'password-set',
    limit: null,
    isOfTenant: false,
    content: () => ({
      subject: 'Your password was set',
      paragraphs: [
        `An invitation to your e-mail address was accepted and the password of your account was set at ${at.toISOString()} from the IP address ${ip}.`,
        'If this was not you, request a new password immediately and inform your administrator.',
      ],
    }),
  };
}
