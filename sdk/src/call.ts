import type { Attempt } from './errors.ts';

/** What a call answered, with how it went. */
export interface WithResponse<T> {
  readonly data: T;
  /** The response; its body has been read. */
  readonly response: Response;
  /** The name of the request in the server's logs. */
  readonly correlationId: string | undefined;
  /** Every request made for the call, the successful one included. */
  readonly attempts: readonly Attempt[];
  /** How long the client waited between attempts in all, in milliseconds. */
  readonly retryDelayMs: number;
}

/** A call under way: a promise of its data. */
export interface Call<T> extends Promise<T> {
  /** The data together with the response and how the call went. */
  withResponse(): Promise<WithResponse<T>>;
}

/** Dresses the outcome of a call as a promise of its data. */
export function asCall<T>(outcome: Promise<WithResponse<T>>): Call<T> {
  const call = outcome.then(({ data }) => data) as Call<T>;
  call.withResponse = () => {
    // Who asked for the outcome handles its failure there; that of the data would go unhandled.
    call.catch(() => {});
    return outcome;
  };
  return call;
}
