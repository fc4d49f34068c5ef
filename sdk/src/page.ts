import { asCall, type Call, type WithResponse } from './call.ts';

/** A page of a list. */
export interface Page<T> {
  readonly items: T[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** A list: await it for the first page, or iterate over the items of all pages. Pages are fetched when needed. */
export interface ListCall<T, P extends Page<T> = Page<T>> extends Call<P>, AsyncIterable<T> {
  /** All pages, to iterate over. */
  pages(): AsyncGenerator<P, void, void>;
  /** The items of all pages, or the first `limit` of them, at least one. Pages after the last needed one are not fetched. */
  toArray(options?: { readonly limit?: number | undefined }): Promise<T[]>;
}

/**
 * Turns the pages of a list into a call that can be iterated over. `send` requests the first page, or the page at a
 * cursor.
 */
export function asListCall<T, P extends Page<T>>(
  send: (at?: { cursor: string }) => Promise<WithResponse<P>>,
): ListCall<T, P> {
  const call = asCall(send());
  async function* pages() {
    for (let page = await call; ; page = (await send({ cursor: page.nextCursor })).data) {
      yield page;
      if (page.nextCursor == null) return;
    }
  }
  async function* items() {
    for await (const page of pages()) yield* page.items;
  }
  async function toArray({ limit = Infinity } = {}) {
    const found: T[] = [];
    for await (const item of items()) if (found.push(item) >= limit) break;
    return found;
  }
  return Object.assign(call, { [Symbol.asyncIterator]: items, pages, toArray });
}
