/** How many letters of a word may be wrong; two that are swapped count as both. */
const MAX_MISTAKES = 2;

/** ` Did you mean "findings"?` for the known word that is most like a given one; '' if none is. */
export function suggestion(given: string, known: readonly string[], show = quoted): string {
  const [nearest] = known
    .map((word) => ({ word, mistakes: mistakesBetween(given, word) }))
    .filter(({ word, mistakes }) => mistakes <= Math.min(MAX_MISTAKES, word.length / 2))
    .sort((a, b) => a.mistakes - b.mistakes);
  return nearest === undefined ? '' : ` Did you mean ${show(nearest.word)}?`;
}

function quoted(word: string): string {
  return `"${word}"`;
}

/** The least number of letters to insert, remove or replace (Levenshtein). */
function mistakesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j += 1) {
      const replaced = (row[j] ?? 0) + (letter === other[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
