import { createHash } from 'node:crypto';
import { validationFailed } from './problem.ts';

/**
 * Builds a page of a list. Pass one item more than the page holds: it shows that there is a next page.
 * @param keyOf the unique sort key of an item: the next page starts after it.
 */
export function pageFrom<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string,
  itemOf: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  return pageOfRows(rows.slice(0, limit), rows.length > limit, keyOf, itemOf);
}

/**
 * Builds a page of a list from the rows that it shows.
 * @param more whether there is a next page.
 */
export function pageOfRows<Row, Item>(
  rows: readonly Row[],
  more: boolean,
  keyOf: (row: Row) => string,
  itemOf: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const last = rows.at(-1);
  const nextCursor = more && last !== undefined ? encode(keyOf(last)) : null;
  return { items: rows.map(itemOf), nextCursor };
}

/** A list without pagination. */
export function wholeList<Item>(items: Item[]): { items: Item[]; nextCursor: null } {
  return { items, nextCursor: null };
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What the ids of built-in and custom rules match. */
export const RULE_ID = /^[a-z0-9._-]+$/;

/**
 * The id after which a list continues; null: from the start.
 * @param pattern what the ids of the list match.
 * @throws {ProblemError} VALIDATION_FAILED for a cursor that this server did not issue.
 */
export function idAfter(cursor: string | undefined, pattern: RegExp = UUID): string | null {
  const key = keyAfter(cursor);
  if (key === null || pattern.test(key)) return key;
  throw notACursor();
}

/** The same for a list that is not sorted by id. */
export function keyAfter(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (encode(key) !== cursor) throw notACursor();
  return key;
}

/** A position in a list that is ordered by the time of its items, then by id. */
export interface Moment {
  readonly at: Date;
  readonly id: string;
}

export function momentKey({ at, id }: Moment): string {
  return `${at.toISOString()} ${id}`;
}

/**
 * The position in a list whose cursors are made with `momentKey`; null: from the start.
 * @throws {ProblemError} VALIDATION_FAILED for a cursor that this server did not issue.
 */
export function momentAfter(cursor: string | undefined, idPattern: RegExp): Moment | null {
  const key = keyAfter(cursor);
  if (key === null) return null;
  const [, at = '', id = ''] = MOMENT.exec(key) ?? [];
  if (Number.isNaN(Date.parse(at)) || !idPattern.test(id)) throw notACursor();
  return { at: new Date(at), id };
}

const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\S+)$/;

/**
 * The key of a cursor that is valid for one sort order and one set of filters. With others, the same position would begin
 * another page.
 * @param query everything that the order and the content of the list depend on; lists in it are compared as sets.
 */
export function keyFor(query: object, position: readonly string[]): string {
  return JSON.stringify([digestOf(query), ...position]);
}

/**
 * The position in a list whose cursors are made with `keyFor`; null: from the beginning.
 * @throws {ProblemError} VALIDATION_FAILED for a cursor of another query, or one that we did not make.
 */
export function positionAfter<T extends readonly string[]>(
  cursor: string | undefined,
  query: object,
  isPosition: (position: readonly string[]) => position is T,
): T | null {
  const key = keyAfter(cursor);
  if (key === null) return null;
  const [digest, ...position] = stringsIn(key);
  if (digest === digestOf(query) && isPosition(position)) return position;
  throw notACursor();
}

/** The strings of a JSON array; none if it is something else. */
function stringsIn(json: string): string[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : [];
  } catch {
    return [];
  }
}

function digestOf(query: object): string {
  const members = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 12);
}

function encode(key: string): string {
  return Buffer.from(key, 'utf8').toString('base64url');
}

function notACursor() {
  return validationFailed([{ path: 'query.cursor', message: 'is not a valid cursor' }]);
}
