import { child, type JsonObject, text } from '../json.ts';
import { isAppEngineDefaultAccount, isComputeDefaultAccount } from './default-account.ts';
import { enumAt, isEnum } from './enumeration.ts';

/*
 * Fields: cloudfunctions v1, discovery revision 20260424.
 * Fields: cloudfunctions v2, discovery revision 20260424.
 */

/*
 * Exports contain first-generation functions in API version 1 (type CloudFunction), with their settings at the top
 * level, and functions of both generations in version 2 (type Function), with the settings below serviceConfig and
 * buildConfig. Defaults are those of each version's reference.
 */

/** The two asset types of functions. */
export const FUNCTION_TYPES: readonly string[] = [
  'cloudfunctions.googleapis.com/CloudFunction',
  'cloudfunctions.googleapis.com/Function',
];

/** A member of the settings, with its path below `resource.data`. */
export function functionSetting(
  fn: JsonObject,
  member: string,
): { readonly path: string; readonly value: string | null } {
  const config = child(fn, 'serviceConfig');
  return config === null
    ? { path: member, value: text(fn, member) }
    : { path: `serviceConfig.${member}`, value: text(config, member) };
}

export interface Environment {
  /** Below `resource.data`. */
  readonly path: string;
  /** Values by variable name. */
  readonly variables: JsonObject;
}

/** Paths of the environment variables of a function, at run time and at build time. */
const ENVIRONMENTS = [
  { parent: null, member: 'environmentVariables' },
  { parent: null, member: 'buildEnvironmentVariables' },
  { parent: 'serviceConfig', member: 'environmentVariables' },
  { parent: 'buildConfig', member: 'environmentVariables' },
] as const;

/** The plaintext environment variables, by path; those from Secret Manager are excluded. */
export function environmentsOf(fn: JsonObject): readonly Environment[] {
  return ENVIRONMENTS.flatMap(({ parent, member }) => {
    const variables = child(parent === null ? fn : child(fn, parent), member);
    if (variables === null) return [];
    return [{ path: parent === null ? member : `${parent}.${member}`, variables }];
  });
}

/** Whether a function accepts requests from everywhere: true by default, and for an unknown setting. */
export function takesAllTraffic(ingressSettings: string | null): boolean {
  return (
    ingressSettings === null ||
    !(
      isEnum(ingressSettings, 'ALLOW_INTERNAL_ONLY') ||
      isEnum(ingressSettings, 'ALLOW_INTERNAL_AND_GCLB')
    )
  );
}

/** Without an account, the first generation uses App Engine's default account, the second Compute Engine's. */
export function isDefaultAccount(account: string | null): boolean {
  return account === null || isAppEngineDefaultAccount(account) || isComputeDefaultAccount(account);
}

/** Whether a function is triggered by requests instead of events. Version 2 only names event triggers. */
export function isCalledByRequests(fn: JsonObject, type: string): boolean {
  if (child(fn, 'httpsTrigger') !== null) return true;
  return isOfVersion2(fn, type) && child(fn, 'eventTrigger') === null;
}

/**
 * The setting that decides whether requests without TLS are accepted; its path differs between version 1 and version 2.
 */
export function securityLevelOf(fn: JsonObject): {
  readonly path: string;
  readonly value: string | null;
} {
  const trigger = child(fn, 'httpsTrigger');
  return trigger === null
    ? functionSetting(fn, 'securityLevel')
    : { path: 'httpsTrigger.securityLevel', value: text(trigger, 'securityLevel') };
}

/** By default a first-generation function also accepts plain HTTP, a second-generation one never does. */
export function insistsOnTls(fn: JsonObject, type: string): boolean {
  const { value } = securityLevelOf(fn);
  if (value !== null && !isEnum(value, 'SECURITY_LEVEL_UNSPECIFIED')) {
    return isEnum(value, 'SECURE_ALWAYS');
  }
  if (!isOfVersion2(fn, type)) return false;
  const generation = enumAt(fn, 'environment') ?? 'ENVIRONMENTUNSPECIFIED';
  return generation === 'GEN2' || generation === 'ENVIRONMENTUNSPECIFIED';
}

function isOfVersion2(fn: JsonObject, type: string): boolean {
  return type === 'cloudfunctions.googleapis.com/Function' || child(fn, 'serviceConfig') !== null;
}
