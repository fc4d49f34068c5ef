import { validationFailed } from './problems.ts';

/**
 * A page of a list. Ask for one item more than the page holds: that it is there is how the next page is known of.
 * @param keyOf what the list is ordered by, unique within it: the next page begins after it.
 */
export function pageFrom<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => string,
  itemOf: (row: Row) => Item,
): { items: Item[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items: page.map(itemOf), nextCursor: more ? encode(keyOf(last)) : null };
}

/** The whole of a list that is never paged. */
export function wholeList<Item>(items: Item[]): { items: Item[]; nextCursor: null } {
  return { items, nextCursor: null };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The id after which a list of rows goes on; null: from the beginning.
 * @throws {ProblemError} VALIDATION_FAILED for a cursor that we did not make.
 */
export function idAfter(cursor: string | undefined): string | null {
  const key = keyAfter(cursor);
  if (key === null || UUID.test(key)) return key;
  throw notACursor();
}

/** The same for a list that is ordered by something else than ids. */
export function keyAfter(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, 'base64url').toString('utf8');
  if (encode(key) !== cursor) throw notACursor();
  return key;
}

function encode(key: string): string {
  return Buffer.from(key, 'utf8').toString('base64url');
}

function notACursor() {
  return validationFailed([{ path: 'query.cursor', message: 'is not a cursor of this API' }]);
}
