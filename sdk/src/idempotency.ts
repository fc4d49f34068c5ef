/** How long a server stores an Idempotency-Key, in milliseconds. A later repetition would be a new request. */
export const KEY_LIFE_MS = 24 * 60 * 60 * 1000;

/** A new Idempotency-Key with 128 random bits. `randomUUID` is not available to pages without TLS. */
export function mintKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
