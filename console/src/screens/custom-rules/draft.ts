import type { CustomRule, CustomRulesUpdateInput, Severity } from '@cspm/sdk';

export type Verdict = CustomRule['tests'][number]['verdict'];
export type Definition = Required<Omit<CustomRulesUpdateInput, 'id'>>;

/** A test as a person edits it. */
export interface DraftTest {
  /** Identifies the test while it is edited. */
  readonly key: string;
  /** JSON, perhaps not valid yet. */
  readonly asset: string;
  readonly verdict: Verdict;
}

/** A rule as a person edits it. */
export interface Draft {
  /** The version of the rule that the draft changes; 0: a new rule. */
  readonly version: number;
  /** Empty: derived from the title. */
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly assetTypes: readonly string[];
  readonly predicate: string;
  readonly description: string;
  readonly recommendation: string;
  readonly enabled: boolean;
  readonly tests: readonly DraftTest[];
}

/** What is wrong with a rule, by the path of the member: `predicate`, `tests.0.asset`. */
export type Faults = Readonly<Record<string, string>>;

export const NO_FAULTS: Faults = {};

export const NEW_DRAFT: Draft = {
  version: 0,
  id: '',
  title: '',
  severity: 'medium',
  assetTypes: [],
  predicate: '',
  description: '',
  recommendation: '',
  enabled: true,
  tests: [],
};

let made = 0;

export function draftOf(rule: CustomRule): Draft {
  const { version, id, title, severity, assetTypes, predicate } = rule;
  const { description, recommendation, enabled } = rule;
  const tests = rule.tests.map(({ asset, verdict }) => newTest(pretty(asset), verdict));
  return {
    version,
    id,
    title,
    severity,
    assetTypes,
    predicate,
    description,
    recommendation,
    enabled,
    tests,
  };
}

/** A stored draft, with keys that no test of this page has. */
export function restored(draft: Draft): Draft {
  return { ...draft, tests: draft.tests.map(({ asset, verdict }) => newTest(asset, verdict)) };
}

export function newTest(asset: string, verdict: Verdict): DraftTest {
  made += 1;
  return { key: `test-${made}`, asset, verdict };
}

/** The asset of a new test: a record of an export without content. */
export function assetTemplate(type: string): string {
  const service = type.split('/')[0] ?? '';
  return pretty({ name: `//${service}/example`, asset_type: type, resource: { data: {} } });
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Whether a stored value is a draft of this version of the console. */
export function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Record<string, unknown>;
  const isLike = Object.entries(NEW_DRAFT).every(([member, sample]) => {
    const found = draft[member];
    return Array.isArray(sample) ? Array.isArray(found) : typeof found === typeof sample;
  });
  if (!isLike) return false;
  const { assetTypes, tests } = draft as unknown as Draft;
  return assetTypes.every((type) => typeof type === 'string') && tests.every(isTest);
}

function isTest(test: unknown): boolean {
  const { key, asset, verdict } = (test ?? {}) as Record<string, unknown>;
  return [key, asset, verdict].every((part) => typeof part === 'string');
}

/** Whether two drafts would be saved alike. */
export function isSame(one: Draft, other: Draft): boolean {
  return comparable(one) === comparable(other);
}

function comparable({ tests, version: _, ...rest }: Draft): string {
  return JSON.stringify({ ...rest, tests: tests.map(({ asset, verdict }) => [asset, verdict]) });
}

/** What the API takes, or what must be repaired before it can be asked. */
export function definitionOf(
  draft: Draft,
): { readonly definition: Definition } | { readonly faults: Faults } {
  const { title, severity, assetTypes, predicate, description, recommendation, enabled } = draft;
  const faults: Record<string, string> = {};
  if (title.trim() === '') faults['title'] = 'Title is required.';
  if (assetTypes.length === 0) faults['assetTypes'] = 'Add at least one asset type.';
  if (predicate.trim() === '') faults['predicate'] = 'Write a condition.';
  const tests = draft.tests.flatMap(({ asset, verdict }, index) => {
    const record = recordIn(asset);
    if (typeof record !== 'string') return [{ asset: record, verdict }];
    faults[`tests.${index}.asset`] = record;
    return [];
  });
  if (Object.keys(faults).length > 0) return { faults };
  return {
    definition: {
      title: title.trim(),
      severity,
      assetTypes,
      predicate,
      description: description.trim(),
      recommendation: recommendation.trim(),
      enabled,
      tests,
    },
  };
}

/** The asset of a test; a string says what is wrong with its text. */
function recordIn(text: string): CustomRule['tests'][number]['asset'] | string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as CustomRule['tests'][number]['asset'])
      : 'The asset must be a JSON object.';
  } catch (error) {
    return `The asset is not valid JSON: ${error instanceof Error ? error.message : ''}`;
  }
}

/** The paths of the API, which begin with `body.` or `body.rule.`, as members of the rule. */
export function faultsFrom(
  errors: readonly { readonly path: string; readonly message: string }[],
): Faults {
  return Object.fromEntries(
    errors.map(({ path, message }) => [path.replace(/^(body\.)?(rule\.)?/, ''), message]),
  );
}

/** The first fault of a member or of a part of it. */
export function faultOf(faults: Faults, member: string): string | null {
  const found = Object.entries(faults).find(
    ([path]) => path === member || path.startsWith(`${member}.`),
  );
  return found?.[1] ?? null;
}

/** A fault in the condition, with its place if the message names one. */
export interface ConditionFault {
  /** Both counted from 1; null: the condition as a whole. */
  readonly place: { readonly line: number; readonly column: number } | null;
  readonly message: string;
}

/** The API writes `line 2, column 5: unknown variable x`. */
export function conditionFault(faults: Faults): ConditionFault | null {
  const message = faultOf(faults, 'predicate');
  if (message === null) return null;
  const found = /^line (\d+), column (\d+): (.*)$/s.exec(message);
  if (found === null) return { place: null, message };
  return {
    place: { line: Number(found[1]), column: Number(found[2]) },
    message: found[3] ?? message,
  };
}
