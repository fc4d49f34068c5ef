/**
 * A glob as a pattern of LIKE: `*` stands for any characters, none included, and every other character for itself, also
 * `%`, `_` and the backslash, which LIKE would take for something else.
 */
export function likePattern(glob: string): string {
  return glob
    .split(/\*+/)
    .map((literal) => literal.replace(/[\\%_]/g, '\\$&'))
    .join('%');
}
