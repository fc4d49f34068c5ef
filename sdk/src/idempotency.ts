/** How long a server remembers an Idempotency-Key, in milliseconds: after that a repetition would be a new request. */
export const KEY_LIFE_MS = 24 * 60 * 60 * 1000;

/** A new Idempotency-Key: 128 random bits. Not `randomUUID`, which browsers withhold from pages without TLS. */
export function mintKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
