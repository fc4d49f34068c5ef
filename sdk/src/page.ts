import { asCall, type Call, type WithResponse } from './call.ts';

/** A page of a list. */
export interface Page<T> {
  readonly items: T[];
  /** Pass it as `cursor` for the next page; null: there is none. */
  readonly nextCursor: string | null;
}

/** A list: await it for the first page, or iterate over the items of all pages. Pages are fetched when they are reached. */
export interface ListCall<T> extends Call<Page<T>>, AsyncIterable<T> {}

/** Dresses the first page of a list as a call that can be iterated over. */
export function asListCall<T>(
  first: Promise<WithResponse<Page<T>>>,
  next: (cursor: string) => Promise<WithResponse<Page<T>>>,
): ListCall<T> {
  const call = asCall(first);
  async function* items() {
    let page = await call;
    for (;;) {
      yield* page.items;
      if (page.nextCursor === null) return;
      page = (await next(page.nextCursor)).data;
    }
  }
  return Object.assign(call, { [Symbol.asyncIterator]: items });
}
