import { RE2JS } from '@bufbuild/re2';
import type { Comparison, LogFilter } from './filter.ts';
import { every, not, some, type Ternary } from './ternary.ts';

/** A log entry: values as the log has them, by field path in lower case. */
export type LogEntry = ReadonlyMap<string, string>;

/** The values in lower case, for comparisons, and as the log has them, for regular expressions. */
interface Values {
  readonly lower: LogEntry;
  readonly exact: LogEntry;
}

/** Entries are matched against many filters. */
const VALUES = new WeakMap<LogEntry, Values>();

function valuesOf(entry: LogEntry): Values {
  const known = VALUES.get(entry);
  if (known !== undefined) return known;
  const lower = new Map([...entry].map(([path, value]) => [path, value.toLowerCase()]));
  const values = { lower, exact: entry };
  VALUES.set(entry, values);
  return values;
}

/**
 * Whether Cloud Logging would show every such entry for the filter. Like it, comparisons ignore letter case, and regular
 * expressions do not unless they begin with `(?i)`. Null if that depends on a regular expression that is not evaluated:
 * an invalid one, one of more than 1,000 characters, or one with counted repetitions.
 * https://cloud.google.com/logging/docs/view/logging-query-language
 */
export function matches(filter: LogFilter, entry: LogEntry): Ternary {
  return isMet(filter, valuesOf(entry), false);
}

/** @param isNegated whether it is inside of an odd number of NOTs */
function isMet(filter: LogFilter, entry: Values, isNegated: boolean): Ternary {
  switch (filter.kind) {
    case 'and':
      return every(filter.parts, (part) => isMet(part, entry, isNegated));
    case 'or':
      return some(filter.parts, (part) => isMet(part, entry, isNegated));
    case 'not':
      return not(isMet(filter.part, entry, !isNegated));
    case 'text':
      return holdsText(entry.lower, filter.value);
    case 'call':
      return isSelective(filter.name)
        ? isNegated
        : isTrueOf(filter.name, filter.values, entry.lower);
    case 'comparison':
      return holds(filter, entry);
  }
}

/** The conditions that the filter requires: its comparisons and texts outside of every NOT. */
export function demandsOf(filter: LogFilter): readonly LogFilter[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.parts.flatMap(demandsOf);
  return filter.kind === 'not' ? [] : [filter];
}

function holds(comparison: Comparison, { lower, exact }: Values): Ternary {
  const { field, operator } = comparison;
  const value = comparison.value.toLowerCase();
  const own = lower.get(field);
  switch (operator) {
    case ':':
      return has(lower, field, value);
    case '=':
      return own !== undefined && alike(field, own, value);
    case '!=':
      return own === undefined || !alike(field, own, value);
    case '=~':
      return own === undefined ? false : find(comparison, exact.get(field) ?? '');
    case '!~':
      return own === undefined ? true : not(find(comparison, exact.get(field) ?? ''));
    default:
      return own !== undefined && isOrdered(field, own, operator, value);
  }
}

/** The operator `:`: the value is a substring of the field, or of one below it; `*` matches any value. */
function has(entry: LogEntry, field: string, value: string): boolean {
  for (const [path, own] of entry) {
    const isBelow = path === field || path.startsWith(`${field}.`);
    if (isBelow && (value === '*' || alike(path, own, value) || own.includes(value))) return true;
  }
  return false;
}

/** A project in the filter is assumed to be its own, because metrics do not see the entries of others. */
function alike(field: string, own: string, value: string): boolean {
  if (own === value || field === 'resource.labels.project_id') return true;
  return field === 'logname' && logIdOf(value) === logIdOf(own);
}

function logIdOf(logName: string): string {
  return logName.replace(/^[a-z]+\/[^/]+\/logs\//, '').replaceAll('%2f', '/');
}

const SEVERITIES = 'default debug info notice warning error critical alert emergency'.split(' ');

/** The severity is the only ordered field of an entry here. */
function isOrdered(field: string, own: string, operator: string, value: string): boolean {
  if (field !== 'severity') return false;
  const difference = SEVERITIES.indexOf(own) - SEVERITIES.indexOf(value);
  if (!SEVERITIES.includes(value)) return false;
  if (difference === 0) return operator === '>=' || operator === '<=';
  return difference > 0 === operator.startsWith('>');
}

function holdsText(entry: LogEntry, text: string): boolean {
  const wanted = text.toLowerCase();
  return [...entry.values()].some((value) => value.includes(wanted));
}

/**
 * Whether the result of a function differs among entries that are alike here, as that of a sample or of a range of
 * addresses. Such a function drops some of them, and so does its negation.
 */
function isSelective(name: string): boolean {
  return !['log_id', 'search', 'source'].includes(name);
}

function isTrueOf(name: string, values: readonly string[], entry: LogEntry): boolean {
  const last = values.at(-1)?.toLowerCase() ?? '';
  if (name === 'log_id') return logIdOf(last) === logIdOf(entry.get('logname') ?? '');
  return name === 'search' ? holdsText(entry, last) : true;
}

const PATTERN_MAX = 1000;

/** An RE2 regular expression: linear in the text, but counted repetitions can make it large. Null if it is not evaluated. */
function find(comparison: Comparison, text: string): Ternary {
  let pattern = compiled.get(comparison);
  if (pattern === undefined) {
    pattern = compile(comparison.value);
    compiled.set(comparison, pattern);
  }
  return pattern === null ? null : pattern.test(text);
}

/** Compiled patterns are cached: a filter is matched against many entries, and compiling costs more than matching. */
const compiled = new WeakMap<Comparison, RE2JS | null>();

/** Null for one that is too large or invalid. */
function compile(pattern: string): RE2JS | null {
  if (pattern.length > PATTERN_MAX || pattern.includes('{')) return null;
  try {
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}
