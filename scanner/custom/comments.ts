/** String literals of CEL, which can contain two slashes, and comments. */
const LITERAL_OR_COMMENT = new RegExp(
  [
    String.raw`[rR][bB]?("""|''')[^]*?\1`,
    String.raw`[rR][bB]?(["'])[^\r\n]*?\2`,
    String.raw`("""|''')(?:\\[^]|(?!\3)[^\\])*\3`,
    String.raw`(["'])(?:\\.|(?!\4)[^\\\r\n])*\4`,
    String.raw`\/\/[^\n]*`,
  ].join('|'),
  'g',
);

/**
 * The predicate with spaces in place of comments, so that offsets stay the same. The library's parser accepts one comment
 * between two tokens, and none at the end.
 */
export function withoutComments(predicate: string): string {
  return predicate.replace(LITERAL_OR_COMMENT, (found) =>
    found.startsWith('//') ? ' '.repeat(found.length) : found,
  );
}
