/** The length of a page that nobody asked to be longer. */
export const PAGE_SIZE = 25;

/** @param {readonly object[]} rows one more than the page holds, if there are more */
export function pageOf(rows, itemOf) {
  const items = rows.slice(0, PAGE_SIZE).map(itemOf);
  const more = rows.length > PAGE_SIZE;
  const nextCursor = more ? Buffer.from(items[PAGE_SIZE - 1].id).toString('base64url') : null;
  return { items, nextCursor };
}
