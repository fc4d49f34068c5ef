import { type ClientOptions, type Cspm, createClient as createPlainClient } from '../index.ts';
import { validatingFetch } from './validating-fetch.ts';

export * from './schemas.gen.ts';

export type ValidatingOptions = ClientOptions & {
  /**
   * `true`: an answer that does not match its schema fails the call with the code `INVALID_RESPONSE` and a message that
   * names the members. Meant for tests: a later server may answer with values that this version does not know.
   */
  readonly validateResponses?: boolean | undefined;
};

/** `createClient` of `@cspm/sdk` with the option `validateResponses`. */
export function createClient(options: ValidatingOptions): Cspm {
  const { validateResponses, ...plain } = options;
  const { fetch } = options;
  return createPlainClient(
    validateResponses ? { ...plain, fetch: validatingFetch(options.baseUrl, fetch) } : plain,
  );
}
