import { child, isObject, type JsonObject, type JsonValue, text } from '../json.ts';

/**
 * A record of an export to BigQuery in the form of the API. BigQuery stores `resource.data` as JSON in a text, and writes
 * times as `2026-11-13 05:06:09.5 UTC`.
 * @param parse parses the text; undefined if it is no JSON
 * @returns null for a record in the form of the API, and for data that is a text but no JSON object
 */
export function fromBigQuery(
  record: JsonObject,
  parse: (text: string) => JsonValue | undefined,
): JsonObject | null {
  const resource = child(record, 'resource');
  const json = text(resource, 'data');
  const data = json === null ? undefined : parse(json);
  const time = text(record, 'update_time');
  const apiTime = time?.replace(BIGQUERY_TIME, '$1T$2Z') ?? null;
  if (!isObject(data) && apiTime === time) return null;
  return {
    ...record,
    ...(apiTime !== null && { update_time: apiTime }),
    ...(isObject(data) && { resource: { ...resource, data } }),
  };
}

const BIGQUERY_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?) UTC$/;
