import { child, type JsonObject, objects, text } from '../json.ts';
import { UnknownValue } from '../terraform/unknown-value.ts';

/*
 * Fields: monitoring v3, discovery revision 20260129.
 */

/** The members in which a condition of each kind names its metrics. */
export const CONDITION_QUERIES = [
  ['conditionThreshold', 'filter'],
  ['conditionAbsent', 'filter'],
  ['conditionMatchedLog', 'filter'],
  ['conditionMonitoringQueryLanguage', 'query'],
  ['conditionPrometheusQueryLanguage', 'query'],
] as const;

/** The maximum length of a query in Cloud Monitoring, in characters. */
export const QUERY_MAX = 20_000;

/** The queries of the conditions of an alerting policy. */
function queriesOf(policy: JsonObject): readonly string[] {
  return objects(policy, 'conditions', 'condition').flatMap((condition) =>
    CONDITION_QUERIES.flatMap(([kind, member]) => text(child(condition, kind), member) ?? []),
  );
}

/** The log-based metrics named in the conditions of alerting policies. */
export interface Mentions {
  /** Which of the given names they contain. */
  readonly names: ReadonlySet<string>;
  /** Whether a query was too long to be read completely, so it may name others. */
  readonly isCut: boolean;
  /** For a planned policy that may name others: the part that is known only after apply. */
  readonly undecided: UnknownValue | null;
}

/**
 * Finds the log-based metrics named in the conditions of enabled policies; a policy is enabled by default. The time is
 * linear in the sizes of the policies and the names, not in their product.
 *
 * @param names of the metrics to look for
 */
export function watchedMetrics(
  policies: readonly JsonObject[],
  names: ReadonlySet<string>,
): Mentions {
  const inPromQl = new Map<string, string[]>();
  for (const name of names) {
    const key = name.replace(/\W/g, '_');
    const alike = inPromQl.get(key);
    if (alike === undefined) inPromQl.set(key, [name]);
    else alike.push(name);
  }
  const found = new Set<string>();
  let isCut = false;
  let undecided: UnknownValue | null = null;
  for (const policy of policies) {
    const queries = queriesIfOn(policy);
    if (queries instanceof UnknownValue) {
      undecided ??= queries;
      continue;
    }
    for (const query of queries) {
      if (query.length > QUERY_MAX) isCut = true;
      const read = query.slice(0, QUERY_MAX);
      for (const name of namesAfter(read, IN_FILTERS)) if (names.has(name)) found.add(name);
      for (const key of namesAfter(read, IN_PROM_QL)) {
        const named = inPromQl.get(key) ?? NONE;
        for (const name of named) found.add(name);
        // Each key is looked up once.
        inPromQl.delete(key);
      }
    }
  }
  return { names: found, isCut, undecided };
}

function queriesIfOn(policy: JsonObject): readonly string[] | UnknownValue {
  try {
    return policy.enabled === false ? NONE : queriesOf(policy);
  } catch (error) {
    if (error instanceof UnknownValue) return error;
    throw error;
  }
}

/**
 * A filter or MQL names it `logging.googleapis.com/user/<metric>`; PromQL may replace each invalid character by an
 * underscore, and the first slash by a colon.
 */
const IN_FILTERS = 'logging.googleapis.com/user/';
const IN_PROM_QL = 'logging_googleapis_com:user_';
const NONE: readonly never[] = [];

/** The maximum length of a metric name in Cloud Logging. */
const NAME_MAX = 100;
/** Characters of metric names that can also end a mention. */
const ENDS_MAX = 10;

/**
 * The candidates for a metric name after the prefix: the characters up to each place where the mention can end, so a
 * name that is only a prefix of a longer one does not match.
 */
function* namesAfter(query: string, prefix: string): Generator<string> {
  for (let at = query.indexOf(prefix); at !== -1; at = query.indexOf(prefix, at + 1)) {
    const start = at + prefix.length;
    let ends = 0;
    for (let end = start + 1; end <= start + NAME_MAX && end <= query.length; end += 1) {
      if (goesOn(query.charCodeAt(end))) continue;
      yield query.slice(start, end);
      ends += 1;
      if (ends === ENDS_MAX) break;
    }
  }
}

/** Equivalent to `/[\w/.%+-]/`; false at the end of the text, whose code is NaN. */
function goesOn(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x2d && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x5f ||
    code === 0x25 ||
    code === 0x2b
  );
}
