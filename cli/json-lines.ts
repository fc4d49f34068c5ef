/**
 * Parses JSON lines. Only a line feed ends a line. `node:readline` does not fit: since Node 24 it also ends a line at U+2028
 * and U+2029, which JSON texts may contain as they are.
 * @param pieces the text, cut anywhere
 */
export async function* jsonLines<T>(pieces: AsyncIterable<string>): AsyncGenerator<T> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
  if (rest !== '') yield JSON.parse(rest);
}
