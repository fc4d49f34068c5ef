/** A letter of a script that has no use for joiners. */
const PLAIN = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]`;
const PART = String.raw`(?!${PLAIN})[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]`;
/** A joiner (U+200C, U+200D) where it belongs: between two letters of a script that needs it, or in an emoji. */
const JOINER = String.raw`(?<=${PART})[\u200c\u200d](?=${PART})`;
const INVISIBLE = new RegExp(
  String.raw`(?!${JOINER})[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]`,
  'gu',
);

/**
 * Text in one line, without invisible characters: controls and direction marks of a name could make it look like another
 * one, so they are shown by their code.
 */
export function visible(text: string): string {
  return text
    .replace(/[\t\n\r]+/g, ' ')
    .replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
