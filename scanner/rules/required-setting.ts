import { cite } from '../evidence.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { type RuleSpec, resourceRule } from '../rule-kinds.ts';

/** One setting that every resource of a type ought to have. */
export interface RequiredSetting {
  /** Below `resource.data`: `encryption.defaultKmsKeyName`. */
  readonly path: string;
  /** Whether a value will do; left out: any text but the empty one. */
  readonly suffices?: (value: JsonValue | undefined) => boolean;
  /** Whether the setting makes no sense for a resource; left out: for none. */
  readonly isExempt?: (resource: JsonObject) => boolean;
  /** A sentence on a resource that does not have it. */
  readonly message: string;
}

/** A rule that differs from others of its kind by its data alone. */
export function requiredSettingRule(
  spec: RuleSpec,
  { path, suffices = isText, isExempt = never, message }: RequiredSetting,
): Rule {
  const members = path.split('.');
  return resourceRule(spec, (resource) => {
    if (isExempt(resource)) return NOT_APPLICABLE;
    const value = valueAt(resource, members);
    return suffices(value) ? PASS : fail({ message, evidence: [cite(path, value)] });
  });
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function never(): boolean {
  return false;
}

function valueAt(resource: JsonObject, members: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = resource;
  for (const member of members) {
    if (!isObject(value)) return undefined;
    value = value[member];
  }
  return value;
}
