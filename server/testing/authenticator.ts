import { generateSync } from 'otplib';
import { keyRing } from '../identity/app-secrets.ts';
import { hashRecoveryCode, newRecoveryCodes } from '../identity/recovery-code.ts';
import { seal } from '../identity/seal.ts';
import { newTotpSecret } from '../identity/totp.ts';
import type { TestDatabase } from './database.ts';

const STEP_SECONDS = 30;

/** The code that an authenticator with this secret shows; `steps` later, or earlier, than at that time. */
export function codeAt(secret: string, at: Date, steps = 0): string {
  const epoch = Math.floor(at.getTime() / 1000) + steps * STEP_SECONDS;
  return generateSync({ secret, epoch });
}

/** A second factor of a user, put into the database the short way, with none of its codes used. */
export interface Enrolled {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** @param options.pending has it wait for its first code. */
export async function enrol(
  { owner }: TestDatabase,
  appSecret: string,
  user: { readonly id: string },
  { at, pending = false }: { at: Date; pending?: boolean },
): Promise<Enrolled> {
  const secret = newTotpSecret();
  const recoveryCodes = newRecoveryCodes();
  const sealed = seal(keyRing([appSecret], 'totp'), `totp:${user.id}`, secret);
  await owner.query(
    'UPDATE identity.users SET totp_secret = $2, totp_enabled_at = $3, totp_last_step = NULL WHERE id = $1',
    [user.id, sealed, pending ? null : at],
  );
  await owner.query('SELECT identity.replace_recovery_codes($1, $2)', [
    user.id,
    pending ? [] : recoveryCodes.map(hashRecoveryCode),
  ]);
  return { secret, recoveryCodes };
}
