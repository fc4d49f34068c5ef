import { cite } from '../evidence.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Rule } from '../rule.ts';
import { type RuleSpec, resourceRule } from '../rule-kinds.ts';

/** One setting that every resource of a type must have. */
export interface RequiredSetting {
  /** Below `resource.data`: `encryption.defaultKmsKeyName`. */
  readonly path: string;
  /** Whether a value is accepted. Default: any non-empty text. */
  readonly suffices?: (value: JsonValue | undefined) => boolean;
  /** Whether the setting does not apply to a resource. Default: it applies to all. */
  readonly isExempt?: (resource: JsonObject) => boolean;
  /** A sentence on a resource without the setting. */
  readonly message: string;
}

/** Builds a rule that differs from others of its kind only in its data. */
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
