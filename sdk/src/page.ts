import { asCall, type Call, type WithResponse } from './call.ts';

/** A page of a list. */
export interface Page<T> {
  readonly items: T[];
  /** Pass it as `cursor` for the next page; null: there is none. */
  readonly nextCursor: string | null;
}

/** A list: await it for the first page, or iterate over the items of all pages. Pages are fetched when they are reached. */
export interface ListCall<T> extends Call<Page<T>>, AsyncIterable<T> {}

/** Dresses the pages of a list as a call that can be iterated over. `send` asks for the first, or for that at a cursor. */
export function asListCall<T>(
  send: (at?: { cursor: string }) => Promise<WithResponse<Page<T>>>,
): ListCall<T> {
  const call = asCall(send());
  async function* items() {
    for (let page = await call; ; page = (await send({ cursor: page.nextCursor })).data) {
      yield* page.items;
      if (page.nextCursor === null) return;
    }
  }
  return Object.assign(call, { [Symbol.asyncIterator]: items });
}
