import { child, type JsonObject, text } from '../json.ts';
import { isAppEngineDefaultAccount, isComputeDefaultAccount } from './default-account.ts';
import { isEnum } from './enumeration.ts';

/*
 * Exports hold functions of the first generation as version 1 of the API has them (type CloudFunction), with their
 * settings at the top, and those of both generations as version 2 has them (type Function), with the settings below
 * serviceConfig and buildConfig. Defaults are those of the reference of either version.
 */

/** The two types that functions have in an inventory. */
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
  /** Their values by their names. */
  readonly variables: JsonObject;
}

/** Where the environment variables of a function are, at run time and while it is built. */
const ENVIRONMENTS = [
  { parent: null, member: 'environmentVariables' },
  { parent: null, member: 'buildEnvironmentVariables' },
  { parent: 'serviceConfig', member: 'environmentVariables' },
  { parent: 'buildConfig', member: 'environmentVariables' },
] as const;

/** The environment variables that are written in the clear, not those that Secret Manager fills, by their paths. */
export function environmentsOf(fn: JsonObject): readonly Environment[] {
  return ENVIRONMENTS.flatMap(({ parent, member }) => {
    const variables = child(parent === null ? fn : child(fn, parent), member);
    if (variables === null) return [];
    return [{ path: parent === null ? member : `${parent}.${member}`, variables }];
  });
}

/** Without an ingress setting a function takes requests from everywhere. */
export function takesAllTraffic(ingressSettings: string | null): boolean {
  return (
    ingressSettings === null ||
    isEnum(ingressSettings, 'ALLOW_ALL') ||
    isEnum(ingressSettings, 'INGRESS_SETTINGS_UNSPECIFIED')
  );
}

/** Without an account the first generation runs as App Engine's default one, the second as that of Compute Engine. */
export function isDefaultAccount(account: string | null): boolean {
  return account === null || isAppEngineDefaultAccount(account) || isComputeDefaultAccount(account);
}

/** Whether requests call the function, and not events. Version 2 names only a trigger of events. */
export function isCalledByRequests(fn: JsonObject, type: string): boolean {
  if (child(fn, 'httpsTrigger') !== null) return true;
  return isOfVersion2(fn, type) && child(fn, 'eventTrigger') === null;
}

/** What decides whether requests without TLS are answered; the path is where version 1 or version 2 keeps it. */
export function securityLevelOf(fn: JsonObject): {
  readonly path: string;
  readonly value: string | null;
} {
  const trigger = child(fn, 'httpsTrigger');
  return trigger === null
    ? functionSetting(fn, 'securityLevel')
    : { path: 'httpsTrigger.securityLevel', value: text(trigger, 'securityLevel') };
}

/** Unless it says, a function of the first generation answers without TLS too, and one of the second never does. */
export function insistsOnTls(fn: JsonObject, type: string): boolean {
  const { value } = securityLevelOf(fn);
  if (value !== null && !isEnum(value, 'SECURITY_LEVEL_UNSPECIFIED')) {
    return isEnum(value, 'SECURE_ALWAYS');
  }
  return isOfVersion2(fn, type) && !isEnum(fn.environment, 'GEN_1');
}

function isOfVersion2(fn: JsonObject, type: string): boolean {
  return type === 'cloudfunctions.googleapis.com/Function' || child(fn, 'serviceConfig') !== null;
}
