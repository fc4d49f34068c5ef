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
