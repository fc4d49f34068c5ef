import { z } from 'zod';

/** One fault of a request: its location, and what is accepted there. */
export interface InputFault {
  /** The part of the request and the path in it, joined by dots: `body.tests.0.verdict`. */
  readonly path: string;
  readonly message: string;
}

/** Maximum number of faults that are listed. */
const MAX_FAULTS = 100;
const MAX_KEYS = 5;
const MAX_VALUES = 20;
const MAX_FORMS = 4;
/** Maximum length of a name or value repeated in a fault, in UTF-16 code units. */
const LONGEST_NAME = 64;
/** Longer texts are not searched for commas. */
const LONGEST_JOINED = 500;

/**
 * Describes the faults of one part of a request. Messages of the validation library are never exposed. Lists at most
 * 100 faults and cuts names to 64 characters, so that a request cannot make the response large.
 * @param issues of an error from parsing with `{ error: describeIssue }`.
 */
export function inputFaults(place: string, issues: readonly z.core.$ZodIssue[]): InputFault[] {
  const faults = issues.slice(0, MAX_FAULTS).map(({ path, message }) => ({
    path: [place, ...path.map((segment) => cut(String(segment)))].join('.'),
    message,
  }));
  const more = issues.length - faults.length;
  if (more === 0) return faults;
  return [...faults, { path: place, message: `has ${more} more faults that are not listed` }];
}

/** Describes the accepted values for every kind of zod issue. Issues with a message from the schema keep it. */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, issue.input);
    case 'invalid_value':
      return describeValue(oneOf(issue.values.map(quoted)), issue.input);
    case 'too_big':
      return `must ${bound(issue.origin, issue.maximum, issue.exact ? 'exactly' : issue.inclusive === false ? 'less than' : 'at most')}`;
    case 'too_small':
      return `must ${bound(issue.origin, issue.minimum, issue.exact ? 'exactly' : issue.inclusive === false ? 'more than' : 'at least')}`;
    case 'invalid_format':
      return describeFormat(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return describeKeys(issue.keys);
    case 'invalid_union':
      return describeUnion(issue);
    case 'invalid_key':
      return `has an invalid key: ${messagesOf(issue.issues)}`;
    case 'invalid_element':
      return `has an invalid element: ${messagesOf(issue.issues)}`;
    default:
      return 'is not accepted here';
  }
};

/**
 * The same for a query string, whose values are text: a number that is not written as one is described by its bounds, and
 * a list that is joined by commas with the form that it has here.
 */
export const describeQueryIssue: z.core.$ZodErrorMap = (issue) => {
  const isText = typeof issue.input === 'string';
  if (issue.code === 'invalid_type' && issue.inst instanceof z.ZodNumber && isText) {
    return `must be ${describeNumber(issue.inst)}`;
  }
  if (issue.code === 'invalid_value' && isJoined(issue)) {
    return `must be ${oneOf(issue.values.map(quoted))}; give each value by itself, as in ?a=x&a=y, instead of joining them`;
  }
  return describeIssue(issue);
};

function describeNumber({ isInt, minValue, maxValue }: z.ZodNumber): string {
  const kind = isInt ? 'an integer' : 'a number';
  const isBounded = (value: number | null) =>
    value !== null && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  return isBounded(minValue) && isBounded(maxValue)
    ? `${kind} from ${minValue} to ${maxValue}`
    : kind;
}

function describeValue(wanted: string, input: unknown): string {
  return input === undefined ? `is required: ${wanted}` : `must be ${wanted}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  set: 'an array',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  null: 'null',
  date: 'a date',
  bigint: 'an integer',
  undefined: 'omitted',
  never: 'omitted',
  nan: 'NaN',
};

function describeType(expected: string, input: unknown): string {
  const wanted = TYPES[expected] ?? 'of another type';
  return input === undefined ? `is required: ${wanted}` : `must be ${wanted}, not ${typeOf(input)}`;
}

function typeOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'an array';
  if (typeof input === 'number' && !Number.isFinite(input)) return 'a number that is out of range';
  if (typeof input === 'number') return 'a number';
  return TYPES[typeof input] ?? 'that';
}

/** The unit of each kind of value that has a size. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['member', 'members'],
  object: ['member', 'members'],
  record: ['member', 'members'],
  file: ['byte', 'bytes'],
};

function bound(origin: string, limit: number | bigint, how: string): string {
  const units = UNITS[origin];
  if (units === undefined) return `be ${how} ${limit}`;
  return `have ${how} ${limit} ${Number(limit) === 1 ? units[0] : units[1]}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address such as ada@example.com',
  url: 'a URL such as https://example.com',
  uuid: 'a UUID such as 0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
  guid: 'a UUID such as 0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
  datetime: 'a time such as 2026-11-20T08:00:00.000Z',
  date: 'a date such as 2026-11-20',
  time: 'a time of day such as 08:00:00',
  duration: 'a duration such as P1D',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'an IPv4 range such as 10.0.0.0/8',
  cidrv6: 'an IPv6 range such as 2001:db8::/32',
  base64: 'base64',
  base64url: 'base64url',
  json_string: 'JSON',
  e164: 'a phone number such as +15555550100',
  jwt: 'a JSON Web Token',
  lowercase: 'in lower case',
  uppercase: 'in upper case',
};

type FormatIssue = Extract<z.core.$ZodRawIssue, { code: 'invalid_format' }>;

function describeFormat(issue: FormatIssue): string {
  const { format, prefix, suffix, includes } = issue as FormatIssue & Record<string, unknown>;
  if (typeof prefix === 'string') return `must begin with ${quoted(prefix)}`;
  if (typeof suffix === 'string') return `must end with ${quoted(suffix)}`;
  if (typeof includes === 'string') return `must contain ${quoted(includes)}`;
  const known = FORMATS[format];
  return known === undefined ? 'does not have the required format' : `must be ${known}`;
}

function describeKeys(keys: readonly string[]): string {
  const named = keys.slice(0, MAX_KEYS).map(quoted).join(', ');
  const more = keys.length - Math.min(keys.length, MAX_KEYS);
  const rest = more === 0 ? '' : ` and ${more} more`;
  return `has ${keys.length === 1 ? 'an unknown member' : 'unknown members'}: ${named}${rest}; remove ${keys.length === 1 ? 'it' : 'them'}`;
}

type UnionIssue = Extract<z.core.$ZodRawIssue, { code: 'invalid_union' }>;

function describeUnion(issue: UnionIssue): string {
  const forms = [...new Set(issue.errors.map(messagesOf).filter((form) => form !== ''))];
  if (forms.length === 0) {
    return issue.discriminator === undefined
      ? 'matches none of the accepted forms'
      : `names no known form in ${quoted(issue.discriminator)}`;
  }
  const shown = forms.slice(0, MAX_FORMS).join('; or ');
  return forms.length === 1 ? shown : `matches none of the accepted forms: ${shown}`;
}

/** Describes the first few issues of a part, each with its path. */
function messagesOf(issues: readonly z.core.$ZodIssue[]): string {
  return issues
    .slice(0, MAX_FORMS)
    .map(({ path, message }) =>
      path.length === 0 ? message : `${path.map((s) => cut(String(s))).join('.')} ${message}`,
    )
    .join(', ');
}

/** Whether a text is several of the accepted values, joined by commas as many other APIs have them. */
function isJoined({ values, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidValue>): boolean {
  return (
    typeof input === 'string' &&
    input.length <= LONGEST_JOINED &&
    input.includes(',') &&
    input.split(',').every((part) => values.includes(part.trim()))
  );
}

function oneOf(values: readonly string[]): string {
  if (values.length === 1) return values[0] ?? '';
  const shown = values.slice(0, MAX_VALUES).join(', ');
  return `one of ${shown}${values.length > MAX_VALUES ? ', …' : ''}`;
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(cut(value)) : String(value);
}

function cut(text: string): string {
  const short = text.length <= LONGEST_NAME ? text : `${text.slice(0, LONGEST_NAME - 1)}…`;
  return short.replaceAll(/\p{Cs}/gu, '\ufffd');
}
