import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Statement, TenantConnection } from '../../../platform/database/tenant-database.ts';

const HOUR = 3600;

/** Lifetime in seconds of each kind of mail token. */
export const MAIL_TOKEN_LIFE_SECONDS = {
  'verify-email': 48 * HOUR,
  'reset-password': HOUR,
  invitation: 7 * 24 * HOUR,
} as const;

export type MailTokenPurpose = keyof typeof MAIL_TOKEN_LIFE_SECONDS;

const TOKEN_BYTES = 32;

/** Issues tokens for mail links: 256 random bits each, stored only as SHA-256. */
export class MailTokens {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Issues a token for one purpose, bound to the user's current address. An invitation is bound to the tenant of the
   * connection. `userId: null` takes the same time and creates no usable token, so timing reveals no account.
   */
  async issue(
    db: TenantConnection,
    of: {
      readonly purpose: MailTokenPurpose;
      readonly userId: string | null;
      readonly email: string;
    },
  ): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const life = MAIL_TOKEN_LIFE_SECONDS[of.purpose];
    const end = new Date(this.#clock.now().getTime() + life * 1000);
    await db.sql(ISSUE, [hashMailToken(token), of.purpose, of.userId, of.email, end]);
    return token;
  }
}

export function hashMailToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const ISSUE: Statement = {
  name: 'mail-token-issue',
  reason: 'function',
  text: 'SELECT identity.issue_mail_token($1, $2, $3, $4, $5)',
};
