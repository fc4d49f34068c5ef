import { isObject, type JsonValue } from './json.ts';

const DAYS_MAX = 3650;
const ELEMENTS_MAX = 100;
const CHARACTERS_MAX = 253;
const PORT_MAX = 65_535;

const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The allowed elements of a list, by parameter name. */
const ELEMENTS: Readonly<Record<string, { is(value: JsonValue): boolean; readonly as: string }>> = {
  allowedDomains: {
    is: (value) =>
      typeof value === 'string' && value.length <= CHARACTERS_MAX && DOMAIN.test(value),
    as: 'domain names in lower case, such as "example.com"',
  },
  ports: {
    is: (value) => typeof value === 'number' && Number.isInteger(value) && isPort(value),
    as: `integers from 0 to ${PORT_MAX}`,
  },
};

/**
 * Checks the value that a profile gives to a parameter of a rule.
 *
 * @param byDefault the value that the rule declares, which determines the type
 * @returns what the value must be, as the end of a sentence that begins with its name; null if it is valid
 */
export function parameterFault(
  name: string,
  value: JsonValue,
  byDefault: JsonValue,
): string | null {
  if (typeof byDefault === 'number') {
    const fits = typeof value === 'number' && Number.isInteger(value);
    return fits && value >= 1 && value <= DAYS_MAX
      ? null
      : `must be an integer from 1 to ${DAYS_MAX}`;
  }
  if (typeof byDefault === 'boolean') {
    return typeof value === 'boolean' ? null : 'must be true or false';
  }
  if (Array.isArray(byDefault)) return listFault(name, value, byDefault);
  if (isObject(byDefault) || byDefault === null) return 'cannot be set';
  return typeof value === 'string' && value !== '' && value.length <= CHARACTERS_MAX
    ? null
    : `must be a string of 1 to ${CHARACTERS_MAX} characters`;
}

function listFault(name: string, value: JsonValue, byDefault: readonly JsonValue[]): string | null {
  const known = ELEMENTS[name];
  const type = typeof (byDefault[0] ?? '');
  const elements = known ?? {
    is: (element: JsonValue) =>
      typeof element === type && (typeof element !== 'string' || element.length <= CHARACTERS_MAX),
    as: type === 'number' ? 'numbers' : `strings of at most ${CHARACTERS_MAX} characters`,
  };
  const fits = Array.isArray(value) && value.length <= ELEMENTS_MAX && value.every(elements.is);
  return fits ? null : `must be a list of at most ${ELEMENTS_MAX} ${elements.as}`;
}

function isPort(value: number): boolean {
  return value >= 0 && value <= PORT_MAX;
}
