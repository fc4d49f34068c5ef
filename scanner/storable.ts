import { hash } from 'node:crypto';

/**
 * A text of the inventory as a database can store it and a person can read it: NUL and lone surrogates, which Postgres
 * refuses, become U+FFFD; what is longer than `max` UTF-16 code units is cut.
 */
export function storable(text: string, max: number): string {
  // Nearly every text is printable ASCII, which needs no second look.
  const clean = /^[ -~]*$/.test(text)
    ? text
    : text.replaceAll('\0', '\u{FFFD}').replace(/\p{Surrogate}/gu, '\u{FFFD}');
  return clean.length <= max ? clean : `${cutAt(clean, max - 1)}…`;
}

/** As `storable`, but different texts stay different: what is cut off is replaced by the SHA-256 of the whole. */
export function storableKey(text: string, max: number): string {
  const clean = storable(text, text.length);
  if (clean === text && text.length <= max) return text;
  const mark = `…sha256:${hash('sha256', JSON.stringify(text), 'hex')}`;
  return cutAt(clean, max - mark.length) + mark;
}

/** Never between the halves of a surrogate pair. */
function cutAt(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
