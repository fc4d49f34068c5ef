import { generateSecret, generateURI, verifySync } from 'otplib';

/** TOTP (RFC 6238) as every authenticator app knows it: HMAC-SHA-1, 6 digits, steps of 30 seconds. */
const PARAMETERS = { algorithm: 'sha1', digits: 6, period: 30 } as const;
/** A clock may be one step ahead or behind (RFC 6238 §5.2). */
const TOLERANCE_SECONDS = PARAMETERS.period;
const ISSUER = 'CSPM';

/** 160 random bits in Base32, as RFC 4226 §4 recommends. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** A secret that no authenticator has, for doing the same work where there is none. */
export const NOBODYS_SECRET = 'A'.repeat(32);

/** The secret as an address (otpauth://totp/…), which authenticator apps read from a QR code. */
export function otpauthUri(secret: string, email: string): string {
  return generateURI({ ...PARAMETERS, issuer: ISSUER, label: email, secret });
}

/**
 * The time step that a code belongs to, if it is the current one, the one before or the one after.
 * @param lastStep no code of this step or an earlier one counts any more; null: none was used yet.
 * @returns null for a code that is wrong or was used.
 */
export function matchingStep(
  secret: string,
  code: string,
  at: Date,
  lastStep: number | null,
): number | null {
  const epoch = Math.floor(at.getTime() / 1000);
  // The library throws on what cannot be a code, and on a last step that is still to come, as after a clock set back.
  if (!/^[0-9]{6}$/.test(code)) return null;
  const latest = Math.floor((epoch + TOLERANCE_SECONDS) / PARAMETERS.period);
  if (lastStep !== null && lastStep >= latest) return null;
  const result = verifySync({
    ...PARAMETERS,
    secret,
    token: code,
    epoch,
    epochTolerance: TOLERANCE_SECONDS,
    ...(lastStep === null ? {} : { afterTimeStep: lastStep }),
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
