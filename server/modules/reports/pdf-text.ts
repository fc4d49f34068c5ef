import { shortened, visible } from './report-text.ts';

/** What the standard fonts of PDF have besides Latin-1 (WinAnsi, PDF 32000-1 annex D). */
const BESIDE_LATIN_1 = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/**
 * Text as the fonts can show it: any other character by its code, because a name with missing letters could be taken for
 * another one.
 */
export function printed(text: string, most = 300): string {
  return visible(shortened(text, most)).replace(/[^\u0020-\u007e\u00a0-\u00ff]/gu, (character) =>
    BESIDE_LATIN_1.has(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
