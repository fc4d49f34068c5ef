import { child, type JsonObject, objects, text } from '../json.ts';
import { enumAt, isEnum } from './enumeration.ts';

/*
 * Fields: dns v1, discovery revision 20261009.
 */

/** Private zones are resolved only inside their networks, without DNSSEC. A zone is public by default. */
export function isPrivateZone(zone: JsonObject): boolean {
  return isEnum(zone.visibility, 'PRIVATE');
}

/** Algorithms of DNSSEC keys without SHA-1, in capitals. */
const STRONG_ALGORITHMS: ReadonlySet<string> = new Set([
  'RSASHA256',
  'RSASHA512',
  'ECDSAP256SHA256',
  'ECDSAP384SHA384',
]);

/**
 * The algorithm for keys of this type if it is RSASHA1 or not known to be better; null otherwise. A spec without an
 * algorithm has the default RSASHA256.
 */
export function weakAlgorithmOf(
  zone: JsonObject,
  keyType: 'KEY_SIGNING' | 'ZONE_SIGNING',
): string | null {
  for (const spec of objects(child(zone, 'dnssecConfig'), 'defaultKeySpecs')) {
    if (!isEnum(spec.keyType, keyType)) continue;
    if (!isWeakAlgorithm(spec)) continue;
    return isEnum(spec.algorithm, 'RSASHA1') ? 'RSASHA1' : text(spec, 'algorithm');
  }
  return null;
}

/** Whether the algorithm of a key spec is not known to be strong. */
export function isWeakAlgorithm(spec: JsonObject): boolean {
  const algorithm = enumAt(spec, 'algorithm');
  return algorithm !== null && !STRONG_ALGORITHMS.has(algorithm);
}
