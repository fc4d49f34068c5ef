import { hash } from 'node:crypto';

/**
 * Makes text storable and readable: NUL and lone surrogates, which Postgres refuses, become U+FFFD; text longer than
 * `max` UTF-16 code units is truncated.
 */
export function sanitizeText(text: string, max: number): string {
  // Fast path: nearly every text is printable ASCII.
  const clean = /^[ -~]*$/.test(text)
    ? text
    : text.replaceAll('\0', '\u{FFFD}').replace(/\p{Surrogate}/gu, '\u{FFFD}');
  return clean.length <= max ? clean : `${cutAt(clean, max - 1)}…`;
}

/**
 * Like `sanitizeText`, but different texts stay different: the truncated part is replaced by the SHA-256 of the whole.
 */
export function sanitizeKey(text: string, max: number): string {
  const clean = sanitizeText(text, text.length);
  if (clean === text && text.length <= max) return text;
  const mark = `…sha256:${hash('sha256', JSON.stringify(text), 'hex')}`;
  return cutAt(clean, max - mark.length) + mark;
}

/** The beginning of a text, with at most so many UTF-16 code units. Does not split a surrogate pair. */
export function cutAt(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
