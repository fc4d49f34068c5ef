/** A request body that can be opened for one attempt or for several. */
export interface Payload {
  /** The body of the next attempt. Sets the Content-Type unless there is one. */
  open(headers: Record<string, string>): Body | Promise<Body>;
  /**
   * Whether another attempt would send the same body. Default: always. `unsent`: the last attempt made no connection.
   */
  replayable?(unsent: boolean | undefined): boolean;
  /** The call has failed: stop reading. */
  close?(): void;
}

export type Body = NonNullable<RequestInit['body']>;
