import { type CelFunc, CelScalar, type CelValue, celFunc } from '@bufbuild/cel';
import { allowancesOf, isIngress, isOpenToInternet } from '../facts/firewall.ts';
import { coversInternet } from '../facts/internet.ts';
import { hasReadableBindings } from '../facts/policy-form.ts';
import { admitsPort } from '../facts/ports.ts';
import { protocolName } from '../facts/protocol.ts';
import { everyone, publicGrantsOf } from '../facts/public-grants.ts';
import { databaseFlag, sqlSettings } from '../facts/sql-instance.ts';
import { child, isObject, isTrue, type JsonObject } from '../json.ts';
import { jsonFromCel } from './cel-json.ts';
import { missingField } from './missing-field.ts';

const { BOOL, DYN, INT, STRING } = CelScalar;

/**
 * The knowledge of built-in rules as functions for predicates:
 * - `isPublic(x)`: whether a member, one of a list of members, or a binding of an IAM policy is everyone;
 * - `coversInternet(x)`: whether a range, a list of ranges together, or the sources of a firewall rule cover the
 * internet;
 * - `portOpen(firewall, protocol, port)`: whether an enabled rule for incoming traffic allows the port, from any
 * source;
 * - `flag(instance, name)`: a database flag of Cloud SQL, as a string; null if it is not set.
 *
 * A firewall or an instance is `resource` or `resource.data`.
 */
export const HELPERS: CelFunc[] = [
  celFunc('isPublic', [DYN], BOOL, isPublic),
  celFunc('coversInternet', [DYN], BOOL, openToInternet),
  celFunc('portOpen', [DYN, STRING, INT], BOOL, portOpen),
  celFunc('flag', [DYN, STRING], DYN, flag),
];

function isPublic(value: CelValue): boolean {
  const json = jsonFromCel(value);
  if (isObject(json)) return isPublicPolicy(json);
  return [json].flat().some((member) => everyone(member) !== null);
}

function isPublicPolicy(policy: JsonObject): boolean {
  if (publicGrantsOf(policy).length > 0) return true;
  if (!hasReadableBindings(policy)) throw new TypeError('not a policy');
  return false;
}

function openToInternet(value: CelValue): boolean {
  const json = jsonFromCel(value);
  if (isObject(json)) return isOpenToInternet(objectIn(value));
  return coversInternet([json].flat().filter((range) => typeof range === 'string'));
}

function portOpen(value: CelValue, protocol: string, port: bigint): boolean {
  const firewall = objectIn(value);
  if (!('allowed' in firewall) && !('denied' in firewall)) throw missingField('allowed');
  if (isTrue(firewall, 'disabled') || !isIngress(firewall)) return false;
  const wanted = protocolName(protocol);
  return allowancesOf(firewall).some(
    (allowance) =>
      (allowance.protocol === 'all' || allowance.protocol === wanted) &&
      admitsPort(allowance.ports, Number(port)),
  );
}

function flag(value: CelValue, name: string): string | null {
  const instance = objectIn(value);
  if (sqlSettings(instance) === null) throw missingField('settings');
  return databaseFlag(instance, name.toLowerCase());
}

/** The content of the asset, given directly or as `resource`. */
function objectIn(value: CelValue): JsonObject {
  const json = jsonFromCel(value);
  if (!isObject(json)) throw new TypeError('not a resource');
  return child(json, 'data') ?? json;
}
