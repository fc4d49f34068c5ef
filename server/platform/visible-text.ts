/**
 * Text in one line, without invisible characters: controls and direction marks of a name could make it look like another
 * one, so they are shown by their code.
 */
export function visible(text: string): string {
  return text
    .replace(/[\t\n\r]+/g, ' ')
    .replace(
      /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu,
      (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
    );
}
