import { type KeyObject, X509Certificate } from 'node:crypto';

const MIN_RSA_BITS = 2048;
const MAX_EXPONENT_BYTES = 8;

/** A setting of an identity provider is invalid. The message is written for the administrator who sent it. */
export class UnfitSettings extends Error {
  /** Name of the invalid member of the settings. */
  readonly member: string;

  constructor(member: string, message: string) {
    super(message);
    this.member = member;
  }
}

export class ExpiredCertificate extends UnfitSettings {
  constructor(member: string, at: Date) {
    super(member, `contains a certificate that expired at ${at.toISOString()}`);
  }
}

/**
 * Normalizes a certificate, given as PEM or as bare base64, to one PEM text (RFC 7468 §5).
 * @throws {UnfitSettings} when it is not a certificate, is outside its validity period, or has an unsupported key.
 */
export function certificatePem(text: string, member: string, now: Date): string {
  const certificate = parse(text);
  if (certificate === null) throw new UnfitSettings(member, 'is not a single X.509 certificate');
  const ends = new Date(certificate.validTo);
  if (ends <= now) throw new ExpiredCertificate(member, ends);
  const { publicKey } = certificate;
  if (publicKey.asymmetricKeyType === 'rsa' && hasLongExponent(publicKey)) {
    throw new UnfitSettings(member, 'must have an RSA key with an exponent of at most 64 bits');
  }
  const { asymmetricKeyType, asymmetricKeyDetails } = publicKey;
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS) {
    throw new UnfitSettings(member, `must have an RSA key of at least ${MIN_RSA_BITS} bits`);
  }
  return certificate.toString();
}

/** A long exponent is slow to verify with, and `asymmetricKeyDetails` is slow to write it in decimal. */
function hasLongExponent(key: KeyObject): boolean {
  const { e = '' } = key.export({ format: 'jwk' });
  return Buffer.from(e, 'base64url').length > MAX_EXPONENT_BYTES;
}

function parse(text: string): X509Certificate | null {
  try {
    if (!text.includes('-----')) return new X509Certificate(Buffer.from(text, 'base64'));
    // X509Certificate reads only the first certificate of a text and silently ignores the rest.
    return text.split('-----BEGIN').length === 2 ? new X509Certificate(text) : null;
  } catch {
    return null;
  }
}
