const LINE_FEED = 0x0a;

/**
 * The lines in some bytes, each made into a string when it is asked for: it is then gone again before the garbage
 * collector would have to move it, as it does with what lives longer.
 */
export function* linesIn(bytes: Buffer): Generator<string, void, undefined> {
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}
