import { child, isObject, type JsonObject, type JsonValue, text as textAt } from '../json.ts';
import { eachMember } from './object-members.ts';

/** A record, and its JSON. */
export interface WrittenRecord {
  readonly value: JsonObject;
  readonly text: string;
}

/**
 * A record of an export to BigQuery in the form of the API. BigQuery stores `resource.data` as JSON in a text, and writes
 * times as `2026-11-13 05:06:09.5 UTC`. Other records are returned unchanged, also with data that is no JSON object.
 * @param parse parses the text; undefined if it is no JSON
 */
export function fromBigQuery(
  record: WrittenRecord,
  parse: (text: string) => JsonValue | undefined,
): WrittenRecord {
  let { value, text } = record;
  const resource = child(value, 'resource');
  const json = textAt(resource, 'data');
  const data = json === null ? undefined : parse(json);
  if (json !== null && isObject(data)) {
    value = { ...value, resource: { ...resource, data } };
    // Spliced, because writing the parsed data again takes longer than parsing it.
    text = replaced(text, 'resource', (outer) => replaced(outer, 'data', () => json));
  }
  const time = textAt(value, 'update_time');
  const update_time = time?.replace(BIGQUERY_TIME, '$1T$2Z');
  if (update_time !== undefined && update_time !== time) {
    value = { ...value, update_time };
    text = replaced(text, 'update_time', () => JSON.stringify(update_time));
  }
  return { value, text };
}

const BIGQUERY_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?) UTC$/;

/**
 * The JSON of an object with another value of one member.
 * @param member without a colon
 */
function replaced(object: string, member: string, by: (value: string) => string): string {
  const members: string[] = [];
  eachMember(object, (name, written) => {
    const value = written.indexOf(':') + 1;
    members.push(
      name === member ? `${written.slice(0, value)}${by(written.slice(value))}` : written,
    );
  });
  return `{${members.join()}}`;
}
