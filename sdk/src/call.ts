import type { Attempt } from './errors.ts';

/** The result of a call with details of its attempts. */
export interface WithResponse<T> {
  readonly data: T;
  /** The response; its body has been read. */
  readonly response: Response;
  /** Id of the request in the server's logs. */
  readonly correlationId: string | undefined;
  /** Every request made for the call, including the successful one. */
  readonly attempts: readonly Attempt[];
  /** Total time the client waited between attempts, in milliseconds. */
  readonly retryDelayMs: number;
}

/** A running call: a promise of its data. */
export interface Call<T> extends Promise<T> {
  /** The data together with the response and details of the attempts. */
  withResponse(): Promise<WithResponse<T>>;
  /** The response with its body unread, byte for byte. Failures reject as they do for the call. Its `url` is empty. */
  asResponse(): Promise<Response>;
}

/** Bodies of the responses to calls. */
export const bodies = new WeakMap<Response, string | Blob>();

/** Turns the outcome of a call into a promise of its data. */
export function asCall<T>(outcome: Promise<WithResponse<T>>): Call<T> {
  const call = outcome.then(({ data }) => data) as Call<T>;
  call.withResponse = () => {
    // Prevents an unhandled rejection when the caller only uses `withResponse`.
    call.catch(() => {});
    return outcome;
  };
  call.asResponse = async () => {
    const { response } = await call.withResponse();
    return new Response(bodies.get(response) || null, response);
  };
  return call;
}
