import type { MutationFunctionContext } from '@tanstack/react-query';
import { mintKey } from '../idempotency.ts';

/**
 * The Idempotency-Keys of mutations. Each `mutate()` has a key of its own, which its retries share: react-query gives
 * them the same context. A `mutate()` after one that failed, with the same object as its variables, continues that one.
 */
export class MutationKeys {
  readonly #started = new WeakMap<object, string>();
  /** Keys of attempts that failed, by their variables. */
  readonly #failed = new WeakMap<object, string[]>();

  /** The key of an attempt. */
  begin(variables: object, context: MutationFunctionContext): string {
    const failed = this.#failed.get(variables) ?? [];
    const own = this.#started.get(context);
    const key = own ?? (isRetried(variables, context) ? undefined : failed[0]) ?? mintKey();
    this.#started.set(context, key);
    this.#failed.set(
      variables,
      failed.filter((each) => each !== key),
    );
    return key;
  }

  fail(variables: object, key: string): void {
    this.#failed.get(variables)?.push(key);
  }
}

/** Whether another mutation with these variables waits for its retry and still needs its key. */
function isRetried(variables: object, { client }: MutationFunctionContext): boolean {
  const waits = client.getMutationCache().find({
    predicate: ({ state }) => state.variables === variables && state.failureCount > 0,
    status: 'pending',
  });
  return waits !== undefined;
}
