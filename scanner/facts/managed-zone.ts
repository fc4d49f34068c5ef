import { child, type JsonObject, objects } from '../json.ts';
import { isEnum } from './enumeration.ts';

/** A private zone is answered inside its networks only, where DNSSEC has no part. A zone is public unless it says so. */
export function isPrivateZone(zone: JsonObject): boolean {
  return isEnum(zone.visibility, 'PRIVATE');
}

/** Whether the keys of this type are to be made with RSASHA1. */
export function signsWithSha1(zone: JsonObject, keyType: 'KEY_SIGNING' | 'ZONE_SIGNING'): boolean {
  return objects(child(zone, 'dnssecConfig'), 'defaultKeySpecs').some(
    (spec) => isEnum(spec.keyType, keyType) && isEnum(spec.algorithm, 'RSASHA1'),
  );
}
