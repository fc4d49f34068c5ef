import { type JsonObject, strings } from '../json.ts';
import { enumAt } from './enumeration.ts';

/*
 * Fields: compute v1, discovery revision 20261026.
 */

/** The schemes that serve an internal network, in capitals and without underscores. */
const INTERNAL_SCHEMES: ReadonlySet<string> = new Set([
  'INTERNAL',
  'INTERNALMANAGED',
  'INTERNALSELFMANAGED',
]);

/**
 * Whether a backend service is reachable from the internet. The API's default is EXTERNAL; an unknown scheme counts as
 * external too.
 */
export function isExternal(backendService: JsonObject): boolean {
  return !INTERNAL_SCHEMES.has(enumAt(backendService, 'loadBalancingScheme') ?? 'EXTERNAL');
}

/** Why an SSL policy accepts insecure clients; null if it does not. */
export interface TlsWeakness {
  /** The end of a sentence that begins with "The SSL policy". */
  readonly because: string;
  readonly path: 'profile' | 'minTlsVersion' | 'enabledFeatures';
}

/**
 * The weakness of an SSL policy, by its profile. A policy without a profile is COMPATIBLE, one without a minimum
 * version accepts TLS 1.0 and later; RESTRICTED and the FIPS profile require TLS 1.2 regardless of other settings.
 * Unknown profiles, versions and suites count as weak.
 */
export function weaknessOf(sslPolicy: JsonObject): TlsWeakness | null {
  const profile = enumAt(sslPolicy, 'profile') ?? 'COMPATIBLE';
  if (profile === 'COMPATIBLE') {
    return { because: 'has the profile COMPATIBLE, which allows every cipher', path: 'profile' };
  }
  if (profile === 'MODERN' && isBelowTls12(sslPolicy)) {
    return { because: 'allows TLS versions below 1.2', path: 'minTlsVersion' };
  }
  if (profile === 'MODERN' || STRONG_PROFILES.has(profile)) return null;
  if (profile !== 'CUSTOM') {
    return { because: 'has a profile that is not known to be strong', path: 'profile' };
  }
  const weak = suitesOf(sslPolicy).find((suite) => !isStrong(suite));
  if (weak === undefined) return null;
  return { because: `allows the cipher suite ${weak}`, path: 'enabledFeatures' };
}

const STRONG_PROFILES: ReadonlySet<string> = new Set(['RESTRICTED', 'FIPS202205']);

function isBelowTls12(sslPolicy: JsonObject): boolean {
  const version = enumAt(sslPolicy, 'minTlsVersion');
  return version !== 'TLS12' && version !== 'TLS13';
}

/** Suites with forward secrecy: those of TLS 1.3, and of TLS 1.2 with ECDHE, except 3DES. */
function isStrong(suite: string): boolean {
  return /^TLS_(?:AES|CHACHA20|ECDHE)_/i.test(suite) && !/3DES/i.test(suite);
}

/** The enabled suites, or the requested ones if an export has only those. */
export function suitesOf(sslPolicy: JsonObject): readonly string[] {
  return [
    ...strings(sslPolicy, 'enabledFeatures', 'enabledFeature'),
    ...strings(sslPolicy, 'customFeatures', 'customFeature'),
  ];
}
