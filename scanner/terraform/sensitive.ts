import { embedsSecret } from '../facts/embedded-secret.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';

/** Placeholder for a value that the document marks as sensitive. It is treated like UNKNOWN, but has no default. */
export const SENSITIVE = '\0sensitive value\0';

/** Shown in place of a sensitive value whose name alone decides verdicts. */
const SHOWN = '(sensitive value)';

/** Maps and blocks of settings, in which rules search for secrets. */
const SETTINGS: ReadonlySet<string> = new Set([
  'build_environment_variables',
  'environment_variables',
  'metadata',
]);

type Marks = JsonValue | undefined;

/**
 * The values without those that are marked as sensitive.
 *
 * @param trees trees of marks in the shape of the values: true if everything from there on is sensitive
 */
export function hideSensitive(values: JsonObject, ...trees: readonly Marks[]): JsonObject {
  return trees.reduce<JsonObject>((before, marks) => {
    if (marks === true) return hideMembers(before, () => true, '');
    return isObject(marks) ? hideMembers(before, (member) => marks[member], '') : before;
  }, values);
}

function hide(value: JsonValue, marks: Marks, name: string): JsonValue {
  if (marks === true) return isHarmless(value) ? value : SENSITIVE;
  if (Array.isArray(value) && Array.isArray(marks)) {
    return value.map((element: JsonValue, at) => hide(element, marks[at], name));
  }
  return isObject(value) && isObject(marks)
    ? hideMembers(value, (member) => marks[member], name)
    : value;
}

/** @param parent the name of the attribute that the object belongs to */
function hideMembers(
  object: JsonObject,
  marksOf: (member: string) => Marks,
  parent: string,
): JsonObject {
  const members = Object.entries(object).map(([member, value]): [string, JsonValue] => {
    const marks = marksOf(member);
    const isFound = marks === true && SETTINGS.has(parent) && isFoundByName(member, value);
    return [member, isFound ? SHOWN : hide(value, marks, member)];
  });
  return Object.fromEntries(members);
}

/** Whether a rule finds the secret whatever its text is. */
function isFoundByName(name: string, value: JsonValue): boolean {
  return embedsSecret(name, value) && embedsSecret(name, SHOWN);
}

/** Numbers and booleans do not have to be hidden, and an empty value shows nothing. */
function isHarmless(value: JsonValue): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length === 0;
  return !isObject(value) || Object.keys(value).length === 0;
}
