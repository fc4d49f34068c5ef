import type { Report } from './change.ts';
import type { RuleId } from './rules.ts';
import type { Facts } from './schema-facts.ts';

interface Context {
  readonly way: 'request' | 'response';
  readonly place: string;
  readonly report: Report;
}

/**
 * Compares which values two schemas allow, without their members and items.
 * @returns whether they share a type, so that comparing their parts makes sense.
 */
export function compareValues(was: Facts, is: Facts, context: Context): boolean {
  const comparable = compareTypes(was, is, context);
  // A schema without a type also allows null.
  const named = was.types !== undefined && is.types !== undefined;
  if (named) compareNull(was.nullable, is.nullable, context);
  if (!comparable) return false;
  compareEnums(was, is, context);
  compareBounds(was, is, context);
  compareTexts(was, is, context);
  compareDefaults(was, is, context);
  return true;
}

function compareTypes(was: Facts, is: Facts, { way, place, report }: Context): boolean {
  const gone = minus(was.types, is.types);
  const come = minus(is.types, was.types);
  const message = `It was ${words(was.types)} and is ${words(is.types)}.`;
  if (way === 'request') {
    if (gone) report('request-type-narrowed', place, message);
    else if (come) report('request-type-widened', place, message);
  } else if (come) report('response-type-changed', place, message);
  else if (gone) report('response-type-narrowed', place, message);
  if (was.types === undefined || is.types === undefined) return false;
  return was.types.some((type) => !minus([type], is.types) || !minus(is.types, [type]));
}

/** Whether some of the types are missing in the others. Integers are numbers; no types at all means all types. */
function minus(types: Facts['types'], others: Facts['types']): boolean {
  if (others === undefined) return false;
  if (types === undefined) return true;
  return types.some(
    (type) => !others.includes(type) && !(type === 'integer' && others.includes('number')),
  );
}

function words(types: Facts['types']): string {
  return types === undefined ? 'anything' : types.join(' or ') || 'null';
}

export function compareNull(was: boolean, is: boolean, { way, place, report }: Context): void {
  if (was === is) return;
  if (way === 'request') {
    if (is) report('request-null-taken', place, 'It may be null.');
    else report('request-null-refused', place, 'It can no longer be null.');
  } else if (is) report('response-nullable', place, 'It may be null.');
  else report('response-not-nullable', place, 'It is no longer null.');
}

function compareEnums(was: Facts, is: Facts, { way, place, report }: Context): void {
  const [values, newValues] = [was.values, is.values];
  const gone = values?.filter((value) => newValues !== undefined && !newValues.includes(value));
  const come = newValues?.filter((value) => values !== undefined && !values.includes(value));
  if (values === undefined && newValues !== undefined) {
    report(`${way}-enum-narrowed`, place, `It is now one of ${newValues.join(', ')}.`);
  } else if (gone !== undefined && gone.length > 0) {
    report(`${way}-enum-narrowed`, place, `Removed values: ${gone.join(', ')}.`);
  }
  if (values !== undefined && newValues === undefined) {
    report(`${way}-enum-widened`, place, `It is no longer limited to ${values.join(', ')}.`);
  } else if (come !== undefined && come.length > 0) {
    report(`${way}-enum-widened`, place, `New values: ${come.join(', ')}.`);
  }
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/** Keywords about values other than numeric ones; they restrict the value. */
const BINDING = ['uniqueItems', 'multipleOf'];

function compareBounds(was: Facts, is: Facts, { way, place, report }: Context): void {
  for (const keyword of [...LOWER, ...UPPER, ...BINDING]) {
    const [bound, newBound] = [was.keywords[keyword], is.keywords[keyword]];
    if (bound === newBound) continue;
    const isNarrower = narrows(keyword, bound, newBound);
    const message = `${keyword} was ${bound ?? 'not set'} and is ${newBound ?? 'not set'}.`;
    report(`${way}-bound-${isNarrower ? 'narrowed' : 'widened'}` satisfies RuleId, place, message);
  }
}

function narrows(keyword: string, bound: unknown, newBound: unknown): boolean {
  if (bound === undefined || bound === false) return true;
  if (newBound === undefined || newBound === false) return false;
  // Formerly no multiple of any other number may have been accepted.
  if (BINDING.includes(keyword)) return true;
  return LOWER.includes(keyword)
    ? Number(newBound) > Number(bound)
    : Number(newBound) < Number(bound);
}

/**
 * Whether one pattern accepts what another one accepts is undecidable in general, so any difference counts as a change.
 */
function compareTexts(was: Facts, is: Facts, { way, place, report }: Context): void {
  for (const keyword of ['pattern', 'format'] as const) {
    const [form, newForm] = [was.keywords[keyword], is.keywords[keyword]];
    if (form === newForm) continue;
    const message = `The ${keyword} was ${form ?? 'not set'} and is ${newForm ?? 'not set'}.`;
    if (way === 'response') {
      // A stronger guarantee breaks nobody.
      if (form !== undefined) report(`response-${keyword}-changed`, place, message);
    } else if (newForm === undefined) report(`request-${keyword}-lifted`, place, message);
    else report(`request-${keyword}-changed`, place, message);
  }
}

function compareDefaults(was: Facts, is: Facts, { way, place, report }: Context): void {
  const [usual, newUsual] = [was, is].map((facts) => JSON.stringify(facts.keywords['default']));
  if (way === 'response' || usual === newUsual) return;
  const message = `Left out, it was ${usual ?? 'nothing'} and is ${newUsual ?? 'nothing'}.`;
  report('request-default-changed', place, message);
}
