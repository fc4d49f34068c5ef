import { generateSecret, generateURI, verifySync } from 'otplib';

/** TOTP parameters that every authenticator app supports (RFC 6238): HMAC-SHA-1, 6 digits, steps of 30 seconds. */
const PARAMETERS = { algorithm: 'sha1', digits: 6, period: 30 } as const;
/** Accepts a clock that is one step ahead or behind (RFC 6238 §5.2). */
const TOLERANCE_SECONDS = PARAMETERS.period;
const ISSUER = 'CSPM';

/** 160 random bits in Base32, as RFC 4226 §4 recommends. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** A secret of no authenticator, used to take the same work when there is no secret. */
export const NOBODYS_SECRET = 'A'.repeat(32);

/** The secret as an otpauth:// URI, which authenticator apps read from a QR code. */
export function otpauthUri(secret: string, email: string): string {
  return generateURI({ ...PARAMETERS, issuer: ISSUER, label: email, secret });
}

/**
 * The time step of a code, if it is the current, the previous or the next one.
 * @param lastStep codes of this or an earlier step are refused; null when none was used yet.
 * @returns null for a code that is wrong or was used.
 */
export function matchingStep(
  secret: string,
  code: string,
  at: Date,
  lastStep: number | null,
): number | null {
  const epoch = Math.floor(at.getTime() / 1000);
  // The library throws on text that is not a code, and on a last step in the future, which happens after a clock is set
  // back.
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
