import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import type { Severity } from '../rule.ts';
import {
  CUSTOM_RULE_ID,
  type CustomRuleDefinition,
  type CustomRuleTest,
  type CustomVerdict,
  type DefinitionFault,
  idFromTitle,
  DEFINITION_LIMITS as LIMITS,
} from './definition.ts';
import { faultsOfTests } from './tests.ts';

const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];
const VERDICTS: readonly CustomVerdict[] = ['pass', 'fail', 'unknown'];

/** A definition with its tests and its enabled flag; or all faults found. */
export type ParsedDefinition =
  | {
      readonly definition: CustomRuleDefinition;
      readonly enabled: boolean;
      readonly tests: readonly CustomRuleTest[];
    }
  | { readonly faults: readonly [DefinitionFault, ...DefinitionFault[]] };

/** The members of a definition, by their names in a module of Security Health Analytics. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['display_name', 'title'],
  ['displayName', 'title'],
  ['resource_selector', 'assetTypes'],
  ['resourceSelector', 'assetTypes'],
]);

const MEMBERS = [
  'id',
  'title',
  'description',
  'severity',
  'assetTypes',
  'predicate',
  'recommendation',
  'enabled',
  'tests',
];

/**
 * Reads a definition from parsed YAML or JSON. Modules of Security Health Analytics are accepted unchanged:
 * `resource_selector.resource_types`, `predicate.expression`, severities in capitals. The predicate is compiled later,
 * by its evaluator.
 */
export function parseDefinition(value: unknown): ParsedDefinition {
  if (!isObject(value as JsonValue)) {
    const message = 'must be a mapping with title, severity, assetTypes and predicate';
    return { faults: [{ path: '', message }] };
  }
  const reader = new Reader(value as JsonObject);
  const title = reader.text('title', LIMITS.title);
  const id = reader.id(title);
  const definition: CustomRuleDefinition = {
    id,
    version: 1,
    title,
    description: reader.text('description', LIMITS.description, ''),
    severity: reader.severity(),
    assetTypes: reader.assetTypes(),
    predicate: reader.text('predicate', LIMITS.predicate),
    recommendation: reader.text('recommendation', LIMITS.recommendation, ''),
  };
  const enabled = reader.enabled();
  const tests = reader.tests(definition.assetTypes);
  const [first, ...more] = reader.faults;
  return first === undefined ? { definition, enabled, tests } : { faults: [first, ...more] };
}

class Reader {
  readonly faults: DefinitionFault[] = [];
  readonly #members: ReadonlyMap<string, JsonValue>;

  constructor(object: JsonObject) {
    const members = new Map<string, JsonValue>();
    for (const [given, member] of Object.entries(object)) {
      const name = OTHER_NAMES.get(given) ?? given;
      if (!MEMBERS.includes(name))
        this.#fault(given, `is not a known member; known: ${MEMBERS.join(', ')}`);
      else if (members.has(name))
        this.#fault(given, `is the same member as ${name}; remove one of them`);
      else members.set(name, unwrapped(name, member));
    }
    this.#members = members;
  }

  text(name: string, max: number, byDefault?: string): string {
    const value = this.#members.get(name) ?? byDefault;
    if (typeof value !== 'string')
      return this.#fault(name, value === undefined ? 'is missing' : 'must be a string');
    if (value.trim() === '' && byDefault === undefined) return this.#fault(name, 'is empty');
    if (value.length > max) return this.#fault(name, `is longer than ${max} characters`);
    return value;
  }

  id(title: string): string {
    const id = this.#members.get('id') ?? idFromTitle(title);
    if (typeof id === 'string' && CUSTOM_RULE_ID.test(id)) return id;
    if (title === '') return '';
    return this.#fault(
      'id',
      'must be 1 to 63 of a-z, 0-9, dot, underscore and hyphen, beginning with a letter or digit',
    );
  }

  severity(): Severity {
    const value = this.#members.get('severity');
    const severity = SEVERITIES.find((one) => one === String(value ?? '').toLowerCase());
    if (severity === undefined) this.#fault('severity', `must be one of ${SEVERITIES.join(', ')}`);
    return severity ?? 'info';
  }

  assetTypes(): readonly string[] {
    const value = this.#members.get('assetTypes');
    const types = Array.isArray(value)
      ? value.filter(
          (type) => typeof type === 'string' && type !== '' && type.length <= LIMITS.assetType,
        )
      : [];
    if (
      !Array.isArray(value) ||
      types.length !== value.length ||
      types.length === 0 ||
      types.length > LIMITS.assetTypes
    ) {
      this.#fault(
        'assetTypes',
        `must be a list of 1 to ${LIMITS.assetTypes} types such as storage.googleapis.com/Bucket`,
      );
    }
    return types;
  }

  enabled(): boolean {
    const value = this.#members.get('enabled') ?? true;
    if (typeof value !== 'boolean') this.#fault('enabled', 'must be true or false');
    return value === true;
  }

  tests(assetTypes: readonly string[]): readonly CustomRuleTest[] {
    const value = this.#members.get('tests') ?? [];
    if (!Array.isArray(value) || value.length > LIMITS.tests) {
      this.#fault('tests', `must be a list of at most ${LIMITS.tests}`);
      return [];
    }
    const tests = value.flatMap((entry: JsonValue, index): CustomRuleTest[] => {
      const { asset, verdict } = isObject(entry) ? entry : {};
      const known = VERDICTS.find((one) => one === verdict);
      if (!isObject(asset))
        this.#fault(
          `tests.${index}.asset`,
          'must be a record in the format of a Cloud Asset Inventory export',
        );
      if (known === undefined)
        this.#fault(`tests.${index}.verdict`, `must be one of ${VERDICTS.join(', ')}`);
      return isObject(asset) && known !== undefined ? [{ asset, verdict: known }] : [];
    });
    if (tests.length === value.length && assetTypes.length > 0) {
      this.faults.push(...faultsOfTests(assetTypes, tests));
    }
    return tests;
  }

  #fault(path: string, message: string): '' {
    this.faults.push({ path, message });
    return '';
  }
}

/** Unwraps `{ resource_types: […] }` and `{ expression: … }`. */
function unwrapped(name: string, member: JsonValue): JsonValue {
  if (!isObject(member)) return member;
  if (name === 'assetTypes') return member['resource_types'] ?? member['resourceTypes'] ?? member;
  return name === 'predicate' ? (member['expression'] ?? member) : member;
}
