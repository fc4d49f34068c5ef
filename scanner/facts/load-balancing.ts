import { type JsonObject, strings } from '../json.ts';
import { enumAt } from './enumeration.ts';

/** Whether a backend service serves the internet. One that does not say so does: the API's default is EXTERNAL. */
export function isExternal(backendService: JsonObject): boolean {
  return (enumAt(backendService, 'loadBalancingScheme') ?? 'EXTERNAL').startsWith('EXTERNAL');
}

/** Why an SSL policy admits clients whose connection can be broken; null for one that does not. */
export interface TlsWeakness {
  /** As the end of a sentence that begins with "The SSL policy". */
  readonly because: string;
  readonly path: 'profile' | 'minTlsVersion' | 'enabledFeatures';
}

/**
 * What is weak about an SSL policy, by its profile. A policy that names none is COMPATIBLE, one that names no least
 * version takes TLS 1.0 on; RESTRICTED and the FIPS profile take TLS 1.2 on whatever else they say.
 */
export function weaknessOf(sslPolicy: JsonObject): TlsWeakness | null {
  const profile = enumAt(sslPolicy, 'profile') ?? 'COMPATIBLE';
  if (profile === 'COMPATIBLE') {
    return { because: 'has the profile COMPATIBLE, which takes every cipher', path: 'profile' };
  }
  if (profile === 'MODERN' && isBelowTls12(sslPolicy)) {
    return { because: 'takes TLS versions below 1.2', path: 'minTlsVersion' };
  }
  if (profile !== 'CUSTOM') return null;
  const weak = suitesOf(sslPolicy).find((suite) => /^TLS_RSA_|3DES/i.test(suite));
  if (weak === undefined) return null;
  return { because: `takes the cipher suite ${weak}`, path: 'enabledFeatures' };
}

function isBelowTls12(sslPolicy: JsonObject): boolean {
  const version = enumAt(sslPolicy, 'minTlsVersion') ?? 'TLS10';
  return version === 'TLS10' || version === 'TLS11';
}

/** The suites in effect, or those asked for where an export has them only. */
export function suitesOf(sslPolicy: JsonObject): readonly string[] {
  return [
    ...strings(sslPolicy, 'enabledFeatures', 'enabledFeature'),
    ...strings(sslPolicy, 'customFeatures', 'customFeature'),
  ];
}
