import { type CelFunc, CelScalar, type CelValue, celFunc } from '@bufbuild/cel';
import { allowancesOf, isIngress, isOpenToInternet } from '../facts/firewall.ts';
import { coversInternet } from '../facts/internet.ts';
import { hasReadableBindings } from '../facts/policy-form.ts';
import { admitsPort } from '../facts/ports.ts';
import { protocolName } from '../facts/protocol.ts';
import { publicGrantsOf } from '../facts/public-grants.ts';
import { databaseFlag, sqlSettings } from '../facts/sql-instance.ts';
import { child, isObject, isTrue, type JsonObject, type JsonValue } from '../json.ts';
import { jsonFromCel } from './cel-json.ts';
import { missingField } from './missing-field.ts';
import { refusedArgument } from './refused-argument.ts';

const { BOOL, DYN, INT, STRING } = CelScalar;

/**
 * The knowledge of built-in rules as functions for predicates:
 * - `isPublic(x)`: whether a member, a binding, an entry of an access list, one of a list of these, or a policy includes
 * everyone;
 * - `coversInternet(x)`: whether a range, a list of ranges together, or the sources of a firewall rule cover the
 * internet;
 * - `portOpen(firewall, protocol, port)`: whether an enabled rule for incoming traffic allows the port, from any
 * source;
 * - `flag(instance, name)`: a database flag of Cloud SQL, as a string; null if it is not set.
 *
 * A firewall or an instance is `resource` or `resource.data`. Any other argument is an error, so that the verdict is
 * UNKNOWN instead of PASS.
 */
export const HELPERS: CelFunc[] = [
  celFunc('isPublic', [DYN], BOOL, isPublic),
  celFunc('coversInternet', [DYN], BOOL, openToInternet),
  celFunc('portOpen', [DYN, STRING, INT], BOOL, portOpen),
  celFunc('flag', [DYN, STRING], DYN, flag),
];

function isPublic(value: CelValue): boolean {
  const json = jsonFromCel(value);
  const isOneObject = isObject(json) && !isGrant(json);
  const policy = isOneObject ? json : { bindings: [json].flat().map(asBinding) };
  if (publicGrantsOf(policy).length > 0) return true;
  const isKnown = isOneObject ? isPolicy(json) : [json].flat().every(isMemberOrGrant);
  if (isKnown && hasReadableBindings(policy)) return false;
  throw refusedArgument(
    'isPublic() accepts a member or a binding or an access entry or a list of them or a policy',
  );
}

function asBinding(value: JsonValue): JsonValue {
  if (!isObject(value)) return { members: [value] };
  return isAccessEntry(value) ? { members: granteesOf(value) } : value;
}

function isMemberOrGrant(value: JsonValue): boolean {
  return isObject(value) ? isGrant(value) : typeof value === 'string';
}

function isGrant(json: JsonObject): boolean {
  return isBinding(json) || isAccessEntry(json);
}

/** Conditions are ignored, as in built-in rules. */
function isBinding(json: JsonObject): boolean {
  if ('members' in json) return !('bindings' in json);
  return (
    'role' in json && Object.keys(json).every((name) => name === 'role' || name === 'condition')
  );
}

/** The members of an access entry, by whether they name who or what has access. */
interface AccessEntry {
  readonly grantees: readonly string[];
  readonly others: readonly string[];
}

/** An entry of the ACL of a bucket, or of the default ACL of its objects. */
const ACL_ENTRY: AccessEntry = {
  grantees: ['entity'],
  others: [
    ...['bucket', 'domain', 'email', 'entityId', 'etag', 'generation', 'id', 'kind', 'object'],
    ...['projectTeam', 'role', 'selfLink'],
  ],
};

/** An entry of the access list of a BigQuery dataset. */
const DATASET_ENTRY: AccessEntry = {
  grantees: [
    ...['dataset', 'domain', 'groupByEmail', 'iamMember', 'routine', 'specialGroup'],
    ...['userByEmail', 'view'],
  ],
  others: ['condition', 'role'],
};

function isAccessEntry(json: JsonObject): boolean {
  return [ACL_ENTRY, DATASET_ENTRY].some(
    ({ grantees, others }) =>
      grantees.some((name) => isSet(json[name])) &&
      Object.keys(json).every((name) => grantees.includes(name) || others.includes(name)),
  );
}

/** Without views, routines and datasets, which are no members. */
function granteesOf(entry: JsonObject): JsonValue[] {
  return [...ACL_ENTRY.grantees, ...DATASET_ENTRY.grantees]
    .map((name) => entry[name])
    .filter(isSet)
    .filter((grantee) => !isObject(grantee));
}

function isSet(value: JsonValue | undefined): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}

/** A policy that grants nothing has no `bindings`, so its other members tell that it is one. */
function isPolicy(json: JsonObject): boolean {
  return 'bindings' in json || Object.keys(json).every((name) => POLICY_MEMBERS.has(name));
}

/** Those of the API in both spellings of exports, and those that Cloud Storage adds. */
const POLICY_MEMBERS: ReadonlySet<string> = new Set([
  'auditConfigs',
  'audit_configs',
  'etag',
  'kind',
  'resourceId',
  'version',
]);

function openToInternet(value: CelValue): boolean {
  const json = jsonFromCel(value);
  if (isObject(json)) {
    const firewall = contentOf(json);
    if (FIREWALL_MEMBERS.some((name) => name in firewall)) {
      return isIngress(firewall) && isOpenToInternet(firewall);
    }
  } else {
    const given = [json].flat();
    const ranges = given.filter((range) => typeof range === 'string');
    if (coversInternet(ranges)) return true;
    if (ranges.length === given.length) return false;
  }
  throw refusedArgument('coversInternet() accepts a range or a list of ranges or a firewall rule');
}

/** A firewall rule has at least one of these. */
const FIREWALL_MEMBERS = [
  'allowed',
  'denied',
  'direction',
  'sourceRanges',
  'sourceRange',
  'sourceTags',
  'sourceTag',
  'sourceServiceAccounts',
  'sourceServiceAccount',
];

function portOpen(value: CelValue, protocol: string, port: bigint): boolean {
  const firewall = objectIn(value, 'portOpen');
  if (port < 0n || port > PORT_MAX)
    throw refusedArgument('portOpen() accepts ports from 0 to 65535');
  if (!Array.isArray(firewall.allowed) && !Array.isArray(firewall.denied)) {
    throw missingField('allowed');
  }
  if (isTrue(firewall, 'disabled') || !isIngress(firewall)) return false;
  const wanted = protocolName(protocol);
  return allowancesOf(firewall).some(
    (allowance) =>
      (allowance.protocol === 'all' || allowance.protocol === wanted) &&
      admitsPort(allowance.ports, Number(port)),
  );
}

const PORT_MAX = 65_535n;

function flag(value: CelValue, name: string): string | null {
  const instance = objectIn(value, 'flag');
  if (sqlSettings(instance) === null) throw missingField('settings');
  return databaseFlag(instance, name.toLowerCase());
}

function objectIn(value: CelValue, helper: string): JsonObject {
  const json = jsonFromCel(value);
  if (!isObject(json)) throw refusedArgument(`${helper}() accepts resource or resource.data`);
  return contentOf(json);
}

/** The content of the asset, given directly or as `resource`. */
function contentOf(json: JsonObject): JsonObject {
  return child(json, 'data') ?? json;
}
