/** What the client knows of one endpoint at run time: a row of the generated table. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for each path parameter. */
  readonly path: string;
  /**
   * What a repetition does. `safe`: changes nothing. `natural`: has the effect of one. `accepted`: is answered from the
   * record when it carries an Idempotency-Key. `none`: repeats the effect.
   */
  readonly idempotency: 'safe' | 'natural' | 'accepted' | 'none';
  /** The tighter limit that counts besides the general one. `none`: outside all limits. Left out: the general one. */
  readonly limit?: string;
  /** No credential is looked at, so none is sent. */
  readonly public?: true;
  /** What is sent; left out: nothing. */
  readonly body?: 'json' | 'inventory';
  /** Members of the input that go into the query although the operation has a body. */
  readonly query?: readonly string[];
  /** Answers with a page of a list. */
  readonly list?: true;
  /** Answers with the tokens of a session, which the client takes up. */
  readonly opensSession?: true;
}

/** A limit that the contract fixes for all servers. */
export interface FixedLimit {
  /** Requests per window. */
  readonly quota: number;
  readonly windowSeconds: number;
}
