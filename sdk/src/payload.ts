/** A request body that can be opened for one attempt, and perhaps for further ones. */
export interface Payload {
  /** The body for the next attempt. Its type is added to the headers, unless there is one. */
  open(headers: Record<string, string>): Body | Promise<Body>;
  /**
   * Whether another attempt would send the same; left out: always. `unsent`: the last one did not get as far as a
   * connection.
   */
  replayable?(unsent: boolean | undefined): boolean;
  /** The call has failed: nothing more may be read. */
  close?(): void;
}

export type Body = NonNullable<RequestInit['body']>;
