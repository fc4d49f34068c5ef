/** A request body that can be opened for one attempt, and perhaps for further ones. */
export interface Payload {
  readonly contentType: string;
  /** The body for the next attempt. */
  open(): NonNullable<RequestInit['body']>;
  /** Whether another attempt would send the same. `unsent`: the last one did not get as far as a connection. */
  replayable(unsent: boolean): boolean;
  /** The call is over: nothing more may be read. */
  close?(): void;
}

/** JSON, serialised once for all attempts: an Idempotency-Key is worth nothing if the payload could change. */
export function jsonPayload(value: unknown): Payload {
  const text = JSON.stringify(value);
  return { contentType: 'application/json', open: () => text, replayable: () => true };
}
