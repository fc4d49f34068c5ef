import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';

const HOUR = 3600;

/** What links in mails are for, and how long each is good for, in seconds. */
export const MAIL_TOKEN_LIFE_SECONDS = {
  'verify-email': 48 * HOUR,
  'reset-password': HOUR,
  invitation: 7 * 24 * HOUR,
} as const;

export type MailTokenPurpose = keyof typeof MAIL_TOKEN_LIFE_SECONDS;

const TOKEN_BYTES = 32;

/** Issues the tokens of links in mails: 256 random bits each, of which only the SHA-256 is kept. */
export class MailTokens {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * A token for one purpose, bound to the address that the user has now. That of an invitation is to the tenant of the
   * connection. One for nobody (`userId: null`) costs the same and is good for nothing.
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
  text: 'SELECT identity.issue_mail_token($1, $2, $3, $4, $5)',
};
