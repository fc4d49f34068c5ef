import { useRef } from 'react';

type KeyedCall<Input, Result> = (
  input: Input,
  options: { readonly idempotencyKey: string },
) => PromiseLike<Result>;

/**
 * For a form that creates or launches something. Another try with the same input after one that failed sends the same
 * Idempotency-Key: the first may have had its effect although its answer was lost. The server then answers as it answered
 * the first, with the same secret. Another input, and a call after one that succeeded, get a new key.
 */
export function useOnce() {
  const failed = useRef({ of: '', idempotencyKey: '' });
  return async <Input, Result>(call: KeyedCall<Input, Result>, input: Input): Promise<Result> => {
    const of = JSON.stringify(input);
    if (failed.current.of !== of) failed.current = { of, idempotencyKey: newKey() };
    const { idempotencyKey } = failed.current;
    const result = await call(input, { idempotencyKey });
    failed.current.of = '';
    return result;
  };
}

export type Once = ReturnType<typeof useOnce>;

/** Pages without TLS have no `randomUUID`. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
