/** A request body that can be opened for one attempt, and perhaps for further ones. */
export interface Payload {
  readonly contentType: string;
  /** The body for the next attempt. */
  open(): NonNullable<RequestInit['body']>;
  /**
   * Whether another attempt would send the same; left out: always. `unsent`: the last one did not get as far as a
   * connection.
   */
  replayable?(unsent: boolean | undefined): boolean;
  /** The call is over: nothing more may be read. */
  close?(): void;
}
