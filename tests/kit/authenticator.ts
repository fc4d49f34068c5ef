import { generateSync } from 'otplib';
import {
  hashRecoveryCode,
  newRecoveryCodes,
} from '../../server/modules/auth/two-factor/recovery-code.ts';
import { newTotpSecret } from '../../server/modules/auth/two-factor/totp.ts';
import { keyRing } from '../../server/platform/crypto/app-secrets.ts';
import { seal } from '../../server/platform/crypto/seal.ts';
import type { TestDatabase } from './database.ts';

const STEP_SECONDS = 30;

/** The code that an authenticator with this secret shows at a time, moved by a number of time steps. */
export function codeAt(secret: string, at: Date, steps = 0): string {
  const epoch = Math.floor(at.getTime() / 1000) + steps * STEP_SECONDS;
  return generateSync({ secret, epoch });
}

/** Inserts a second factor of a user into the database, with no code used. */
export interface Enrolled {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** @param options.pending the id of the session in which it waits for its first code. */
export async function enrol(
  { owner }: TestDatabase,
  appSecret: string,
  user: { readonly id: string },
  { at, pending = false }: { at: Date; pending?: boolean },
  sessionId: string | null = null,
): Promise<Enrolled> {
  const secret = newTotpSecret();
  const recoveryCodes = newRecoveryCodes();
  const sealed = seal(keyRing([appSecret], 'totp'), `totp:${user.id}`, secret);
  await owner.query(
    `UPDATE identity.users SET totp_secret = $2, totp_enabled_at = $3, totp_last_step = NULL,
       totp_pending_at = $4, totp_pending_session = $5
     WHERE id = $1`,
    [user.id, sealed, pending ? null : at, pending ? at : null, sessionId],
  );
  await owner.query('SELECT identity.replace_recovery_codes($1, $2)', [
    user.id,
    pending ? [] : recoveryCodes.map(hashRecoveryCode),
  ]);
  return { secret, recoveryCodes };
}
