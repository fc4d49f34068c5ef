import { child, type JsonObject, objects, text } from '../json.ts';

/** Where a condition names the metrics that it watches, by its kind. */
export const CONDITION_QUERIES = [
  ['conditionThreshold', 'filter'],
  ['conditionAbsent', 'filter'],
  ['conditionMatchedLog', 'filter'],
  ['conditionMonitoringQueryLanguage', 'query'],
  ['conditionPrometheusQueryLanguage', 'query'],
] as const;

/** The queries of the conditions of an alerting policy. */
function queriesOf(policy: JsonObject): readonly string[] {
  return objects(policy, 'conditions', 'condition').flatMap((condition) =>
    CONDITION_QUERIES.flatMap(([kind, member]) => text(child(condition, kind), member) ?? []),
  );
}

/** Whether a policy that is on has a condition on a metric made of logs; a policy is on unless it says otherwise. */
export function watchesLogMetric(policy: JsonObject, metric: string): boolean {
  if (policy.enabled === false) return false;
  return queriesOf(policy).some((query) => mentions(query, metric));
}

/**
 * A filter or MQL names it `logging.googleapis.com/user/<metric>`; PromQL may write an underscore for each character
 * that it does not know, and a colon for the first slash.
 */
function mentions(query: string, metric: string): boolean {
  return (
    holdsName(query, `logging.googleapis.com/user/${metric}`) ||
    holdsName(query, `logging_googleapis_com:user_${metric.replace(/\W/g, '_')}`)
  );
}

/** Whether the text holds the name, and not only as the beginning of a longer one. */
function holdsName(query: string, name: string): boolean {
  for (let at = query.indexOf(name); at !== -1; at = query.indexOf(name, at + 1)) {
    if (!/^[\w/.%+-]/.test(query.slice(at + name.length))) return true;
  }
  return false;
}
