import { X509Certificate } from 'node:crypto';

const MIN_RSA_BITS = 2048;

/** What is wrong with something about an identity provider, in words for the administrator who sent it. */
export class UnfitSettings extends Error {
  /** The member of the settings. */
  readonly member: string;

  constructor(member: string, message: string) {
    super(message);
    this.member = member;
  }
}

/**
 * A certificate as one PEM text (RFC 7468 §5), whether it came as that or as bare base64.
 * @throws {UnfitSettings} for what is no certificate, is out of date, or has a key that we do not take.
 */
export function certificatePem(text: string, member: string, now: Date): string {
  const certificate = parse(text);
  if (certificate === null) throw new UnfitSettings(member, 'is not one X.509 certificate');
  if (new Date(certificate.validTo) <= now) throw new UnfitSettings(member, 'has expired');
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS) {
    throw new UnfitSettings(member, `must hold an RSA key of ${MIN_RSA_BITS} bits or more`);
  }
  return certificate.toString();
}

function parse(text: string): X509Certificate | null {
  try {
    if (!text.includes('-----')) return new X509Certificate(Buffer.from(text, 'base64'));
    // Of several in one text the library would take the first and pass over the others in silence.
    return text.split('-----BEGIN').length === 2 ? new X509Certificate(text) : null;
  } catch {
    return null;
  }
}
