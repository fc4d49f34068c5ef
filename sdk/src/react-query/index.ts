import type { MutationFunctionContext } from '@tanstack/react-query';
import type { Cspm } from '../index.ts';
import { MutationKeys } from './mutation-keys.ts';
import type { CspmQueryUtils } from './operations.gen.ts';
import type { QueryCallOptions, QueryUtilsOptions } from './types.ts';

export type * from './operations.gen.ts';
export type * from './types.ts';

interface PageLike {
  readonly nextCursor: string | null;
}

type Send = (input: object, options: object) => PromiseLike<unknown>;

/**
 * Options and keys for `@tanstack/react-query`, for every operation of a client: `utils.findings.list.queryOptions(…)`.
 *
 * Queries have `retry: false`, because the client already retries what the contract allows.
 */
export function createQueryUtils(client: Cspm, options: QueryUtilsOptions = {}): CspmQueryUtils {
  const { scope = 'cspm' } = options;
  const groups = Object.entries(client).filter(([, group]) => typeof group === 'object');
  const utils = groups.map(([group, methods]) => {
    const members = Object.entries(methods as Record<string, Send>).map(
      ([name, send]) => [name, operationUtils([scope, group, name], send)] as const,
    );
    return [group, { key: () => [scope, group], ...Object.fromEntries(members) }] as const;
  });
  // The interface is generated from the contract that the methods of the client come from.
  return { key: () => [scope], ...Object.fromEntries(utils) } as unknown as CspmQueryUtils;
}

function operationUtils(path: readonly [string, string, string], send: Send) {
  const idempotencyKeys = new MutationKeys();
  const keyOf = (
    type: 'query' | 'infinite',
    input: object = {},
    { tenantId }: QueryCallOptions = {},
  ) => [...path, { type, input, ...(tenantId && { tenantId }) }];
  return {
    key: () => path,
    queryKey: (input?: object, options?: QueryCallOptions) => keyOf('query', input, options),
    infiniteQueryKey: (input?: object, options?: QueryCallOptions) =>
      keyOf('infinite', input, options),
    queryOptions: (input: object = {}, options?: QueryCallOptions) => ({
      queryKey: keyOf('query', input, options),
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        // A query must not resolve with undefined.
        (await send(input, { ...options, signal })) ?? null,
      retry: false,
    }),
    infiniteQueryOptions: (input: object = {}, options?: QueryCallOptions) => ({
      queryKey: keyOf('infinite', input, options),
      queryFn: async (at: { signal: AbortSignal; pageParam?: unknown }) => {
        const cursor = at.pageParam === undefined ? {} : { cursor: at.pageParam };
        return send({ ...input, ...cursor }, { ...options, signal: at.signal });
      },
      initialPageParam: undefined,
      getNextPageParam: ({ nextCursor }: PageLike) => nextCursor ?? undefined,
      retry: false,
    }),
    mutationOptions: (options?: QueryCallOptions) => ({
      mutationKey: path,
      mutationFn: async (variables: object = {}, context: MutationFunctionContext) => {
        const idempotencyKey = idempotencyKeys.begin(variables, context);
        try {
          return await send(variables, { idempotencyKey, ...options });
        } catch (error) {
          idempotencyKeys.fail(variables, idempotencyKey);
          throw error;
        }
      },
    }),
  };
}
