import type {
  DataTag,
  InfiniteData,
  UnusedSkipTokenInfiniteOptions,
  UnusedSkipTokenOptions,
  UseMutationOptions,
} from '@tanstack/react-query';
import type { CallOptions, ProblemCodes, ProblemOf } from '../index.ts';

type Method = (...input: never[]) => unknown;
type Id = keyof ProblemCodes;
type InputOf<M extends Method> = Parameters<M>[0];
type Data<M extends Method> = Awaited<ReturnType<M>>;
type PageInput<M extends Method> = Omit<NonNullable<InputOf<M>>, 'cursor'>;
/** TypeScript demands the input where a member of it is required. */
type Optional<I, All = NonNullable<I>> =
  Record<never, never> extends All
    ? [input?: All, options?: QueryCallOptions]
    : [input: All, options?: QueryCallOptions];

/** Options of the calls that a query makes. Its signal is the one of react-query. */
export type QueryCallOptions = Omit<CallOptions, 'signal'>;

/** `[scope, group, method, { type, input }]`. The first two or three members match all queries below them. */
export type CspmQueryKey = readonly [
  scope: string,
  group: string,
  method: string,
  details: {
    readonly type: 'query' | 'infinite';
    readonly input: object;
    readonly tenantId?: string;
  },
];

/** A key that matches several queries, for `invalidateQueries`, `isFetching` and others that filter. */
export type CspmKeyPrefix = readonly [scope: string, ...names: string[]];

export type CspmQueryOptions<T, E> = UnusedSkipTokenOptions<T, E, T, CspmQueryKey> & {
  queryKey: DataTag<CspmQueryKey, T, E>;
};

export type CspmInfiniteQueryOptions<P, E> = UnusedSkipTokenInfiniteOptions<
  P,
  E,
  InfiniteData<P, string | undefined>,
  CspmQueryKey,
  string | undefined
> & { queryKey: DataTag<CspmQueryKey, InfiniteData<P, string | undefined>, E> };

/** The queries of an operation, of a group such as `projects`, or of everything. */
export interface GroupUtils {
  /** A key that matches all queries and mutations below. */
  key(): CspmKeyPrefix;
}

/** An operation that reads. */
export interface QueryUtils<M extends Method, O extends Id> extends GroupUtils {
  /** For `useQuery`, `useSuspenseQuery`, `prefetchQuery` and others. For a list, its first page. */
  queryOptions(...input: Optional<InputOf<M>>): CspmQueryOptions<Data<M>, ProblemOf<O>>;
  /** The key of that query, for `getQueryData`, `setQueryData` and `invalidateQueries`. */
  queryKey(...input: Optional<InputOf<M>>): DataTag<CspmQueryKey, Data<M>, ProblemOf<O>>;
}

/** A list. */
export interface ListUtils<M extends Method, O extends Id> extends QueryUtils<M, O> {
  /** For `useInfiniteQuery` and others: pages by cursor. */
  infiniteQueryOptions(
    ...input: Optional<PageInput<M>>
  ): CspmInfiniteQueryOptions<Data<M>, ProblemOf<O>>;
  infiniteQueryKey(
    ...input: Optional<PageInput<M>>
  ): DataTag<CspmQueryKey, InfiniteData<Data<M>, string | undefined>, ProblemOf<O>>;
}

/** An operation that can be sent by `useMutation`. Its variables are the input of the method. */
export interface MutationUtils<M extends Method, O extends Id> extends GroupUtils {
  /**
   * Each `mutate()` has an Idempotency-Key of its own, if the operation takes one. Its retries have the same, and so has
   * the next `mutate()` with the same object as its variables after one that failed.
   */
  mutationOptions(options?: QueryCallOptions): UseMutationOptions<
    Data<M>,
    ProblemOf<O>,
    Variables<InputOf<M>>
  > & {
    mutationKey: CspmKeyPrefix;
  };
}

/** Without input, `mutate()` takes nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: react-query requires it for a mutate() without variables.
type Variables<I> = undefined extends I ? NonNullable<I> | void : I;

export interface QueryUtilsOptions {
  /**
   * The first member of every key; `cspm` by default. Give each its own when one `QueryClient` serves several clients,
   * for example of two tenants.
   */
  readonly scope?: string | undefined;
}
