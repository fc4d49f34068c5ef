const LINE_FEED = 0x0a;

/**
 * The lines of a buffer, each decoded on demand, so it is collected young instead of being promoted by the garbage
 * collector.
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
