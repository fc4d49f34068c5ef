/**
 * Converts a glob to a LIKE pattern. `*` matches any characters or none; every other character, including `%`, `_` and
 * the backslash, matches itself.
 */
export function likePattern(glob: string): string {
  return glob.split(/\*+/).map(likeLiteral).join('%');
}

/** A text as a pattern of LIKE that matches this text alone. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
