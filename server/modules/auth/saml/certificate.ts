import { X509Certificate } from 'node:crypto';
import { type RsaKeySize, readCertificate } from './certificate-der.ts';

const MIN_RSA_BITS = 2048;
/** A longer exponent is slow to verify with. */
const MAX_EXPONENT_BITS = 64;
const PEM = /-----BEGIN (X509 )?CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END \1CERTIFICATE-----/;

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
  const der = derOf(text);
  const { begins, ends, key } = parsed(() => readCertificate(der), member);
  if ([begins, ends].some((at) => Number.isNaN(at.getTime()))) {
    throw new UnfitSettings(member, 'contains a certificate with an invalid validity period');
  }
  if (ends <= now) throw new ExpiredCertificate(member, ends);
  demandUsable(key, member);
  return parsed(() => new X509Certificate(pemOf(der)), member).toString();
}

function demandUsable(key: RsaKeySize | null, member: string): void {
  if (key !== null && key.exponentBits > MAX_EXPONENT_BITS) {
    throw new UnfitSettings(member, 'must have an RSA key with an exponent of at most 64 bits');
  }
  if (key === null || key.modulusBits < MIN_RSA_BITS) {
    throw new UnfitSettings(member, `must have an RSA key of at least ${MIN_RSA_BITS} bits`);
  }
}

/** The first certificate of a PEM text with several would be used, and the rest be ignored, so it is not read. */
function derOf(text: string): Buffer {
  if (!text.includes('-----')) return Buffer.from(text, 'base64');
  const isSingle = text.split('-----BEGIN').length === 2;
  return Buffer.from(isSingle ? (PEM.exec(text)?.[2] ?? '') : '', 'base64');
}

/** In DER, OpenSSL would look for the PEM of another certificate first. */
function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
}

function parsed<T>(parse: () => T, member: string): T {
  try {
    return parse();
  } catch {
    throw new UnfitSettings(member, 'is not a single X.509 certificate');
  }
}
