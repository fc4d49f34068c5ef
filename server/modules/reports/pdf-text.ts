import { visible } from '../../platform/visible-text.ts';
import { shortened } from './report-text.ts';

/** What the standard fonts of PDF have besides Latin-1 (WinAnsi, PDF 32000-1 annex D). */
const BESIDE_LATIN_1 = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/** Each text of a report in PDF is shown up to this length. */
const TEXT_LENGTH = 300;

/** One character, or the code of one. */
const CHARACTER = /\\u\{[0-9a-f]{1,6}\}|./gu;

/**
 * Text as the fonts can show it: any other character by its code, because a name with missing letters could be mistaken
 * for another one. Its length, with these codes, is at most `most`.
 */
export function printed(text: string, most = TEXT_LENGTH): string {
  const shown = visible(shortened(text, most)).replace(
    /[^\u0020-\u007e\u00a0-\u00ff]/gu,
    (character) =>
      BESIDE_LATIN_1.has(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return shown.length <= most ? shown : `${cut(shown, most - 1)}…`;
}

/** The beginning of a text that ends with a whole code. */
function cut(text: string, most: number): string {
  let end = 0;
  for (const [character] of text.matchAll(CHARACTER)) {
    if (end + character.length > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}
