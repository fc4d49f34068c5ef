import type { Origin } from '../../../platform/audit-writer.ts';
import type { Notice } from '../../../platform/mail/mail.ts';

export type TwoFactorChange = 'enabled' | 'disabled' | 'recovery-codes';

const WHAT_CHANGED: Readonly<Record<TwoFactorChange, string>> = {
  enabled: 'An authenticator was enabled',
  disabled: 'The authenticator was removed',
  'recovery-codes': 'New recovery codes replaced the old ones',
};

export function twoFactorChanged(
  change: TwoFactorChange,
  { at, ip }: Pick<Origin, 'at' | 'ip'>,
): Notice {
  return {
    template: 'two-factor-changed',
    limit: null,
    isOfTenant: false,
    content: () => ({
      subject: 'The second factor of your account was changed',
      paragraphs: [
        `${WHAT_CHANGED[change]} at ${at.toISOString()} from the IP address ${ip}.`,
        'If this was not you, change your password immediately, end all sessions and inform your administrator.',
      ],
    }),
  };
}

/** The operator removed the second factor, because the owner, or somebody in their name, said that it was lost. */
export function twoFactorReset(at: Date): Notice {
  return {
    template: 'two-factor-reset',
    limit: null,
    isOfTenant: false,
    content: () => ({
      subject: 'The second factor of your account was removed',
      paragraphs: [
        `The operator of the service removed the authenticator and the recovery codes of your account at ${at.toISOString()}, and all sessions have ended. Sign in and set up an authenticator again.`,
        'If you did not ask for this, request a new password immediately and inform the operator and your administrator.',
      ],
    }),
  };
}
