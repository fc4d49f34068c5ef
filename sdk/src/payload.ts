/** A request body that can be opened for one attempt or for several. */
export interface Payload {
  /** The body of the next attempt. Sets the Content-Type unless there is one. */
  open(headers: Record<string, string>): Body | Promise<Body>;
  /** Whether another attempt cannot send the same body. Default: never. `unsent`: the last attempt made no connection. */
  consumed?(unsent: boolean | undefined): boolean;
  /**
   * The call has failed with this error: stop reading.
   * @throws the error of the caller's source, if the call failed because of it.
   */
  close?(error: unknown): void;
}

export type Body = NonNullable<RequestInit['body']>;
