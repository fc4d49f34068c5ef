import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { UNKNOWN } from './document.ts';
import {
  addPossible,
  addPossibleChange,
  type Draft,
  type DraftPolicy,
  NOTHING_ELSE,
} from './drafts.ts';
import { ANYTHING } from './policy-part.ts';
import type { UnknownPath } from './unknown-value.ts';

/** The asset in the form of an export, with the paths of its unknown values. */
export function recordOf(draft: Draft, isOpen: boolean): JsonObject {
  if (isOpen) open(draft);
  const { type, path, data, policy, possible } = draft;
  const unknowns: UnknownPath[] = [];
  const host = type.slice(0, type.indexOf('/'));
  const hasAuditConfigs = host === 'cloudresourcemanager.googleapis.com';
  const content = (part: DraftPolicy | null) =>
    part === null ? null : policyOf(part, hasAuditConfigs);
  const certain = contentOf(data, content(policy), ['data', 'iamPolicy'], unknowns);
  const mayBeGranted = possible.bindings.length + possible.auditConfigs.length > 0;
  const mayChange = data !== null && possible.changes.length > 0;
  const most = contentOf(
    mayChange ? possible.changes.reduce((before, change) => change(before), data) : null,
    mayBeGranted
      ? content({
          bindings: [...(policy?.bindings ?? []), ...possible.bindings],
          auditConfigs: [...(policy?.auditConfigs ?? []), ...possible.auditConfigs],
          hasAllAuditConfigs: policy?.hasAllAuditConfigs === true,
        })
      : null,
    ['possibleData', 'possibleIamPolicy'],
    unknowns,
  );
  return {
    name: `//${host}/${path.text}`,
    asset_type: type,
    ancestors: path.project === null ? [] : [`projects/${path.project}`],
    ...certain,
    ...((mayBeGranted || mayChange) && {
      possible_after_apply: { ...most, reason: possible.reason ?? '' },
    }),
    ...(unknowns.length > 0 && { unknown_after_apply: unknowns }),
  };
}

/** Anything else may apply to this asset. */
function open(draft: Draft): void {
  const reason =
    'more grants than can be matched may apply to it: their targets are known after apply only';
  addPossible(draft, { bindings: [ANYTHING], auditConfigs: [] }, reason);
  addPossibleChange(draft, () => NOTHING_ELSE, reason);
}

/**
 * Grants of single roles, and the settings of single services, leave open what else is logged. The settings for all
 * services decide the rules, so with those the others do not matter.
 */
function policyOf(
  { bindings, auditConfigs, hasAllAuditConfigs }: DraftPolicy,
  hasAuditConfigs: boolean,
): JsonObject {
  const isOpen =
    hasAuditConfigs &&
    !hasAllAuditConfigs &&
    !auditConfigs.some(({ service }) => service === 'allServices');
  if (isOpen) return { bindings, ...NOTHING_ELSE };
  return { bindings, ...(auditConfigs.length > 0 && { auditConfigs }) };
}

function contentOf(
  data: JsonObject | null,
  policy: JsonObject | null,
  [dataRoot, policyRoot]: readonly [UnknownPath[0], UnknownPath[0]],
  unknowns: UnknownPath[],
): JsonObject {
  return {
    ...(data !== null && { resource: { data: cut(data, [dataRoot], unknowns) } }),
    ...(policy !== null && { iam_policy: cut(policy, [policyRoot], unknowns) }),
  };
}

/** The value without its unknown parts, whose paths are recorded. An element of a list is replaced by null. */
function cut(value: JsonValue, path: UnknownPath, unknowns: UnknownPath[]): JsonValue {
  if (Array.isArray(value)) {
    return value.map((element: JsonValue, at) => {
      const below: UnknownPath = [...path, `${at}`];
      if (element !== UNKNOWN) return cut(element, below, unknowns);
      unknowns.push(below);
      return null;
    });
  }
  if (!isObject(value)) return value;
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    const below: UnknownPath = [...path, name];
    if (member === UNKNOWN) unknowns.push(below);
    else members.push([name, cut(member, below, unknowns)]);
  }
  return Object.fromEntries(members);
}
