import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

/**
 * Writes pieces to a file, which takes the place of an older one only when it is whole, or else to a stream.
 * @throws what the source throws; the file is then as it was
 */
export async function writeOut(
  pieces: AsyncIterable<string>,
  to: { readonly file: string | undefined; readonly stream: Writable },
): Promise<void> {
  if (to.file === undefined) {
    for await (const piece of pieces) await write(to.stream, piece);
    return;
  }
  const draft = `${to.file}.${process.pid}.part`;
  const stream = createWriteStream(draft, { flags: 'wx' });
  try {
    for await (const piece of pieces) await write(stream, piece);
    stream.end();
    await finished(stream);
    await rename(draft, to.file);
  } catch (error) {
    stream.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}

async function write(stream: Writable, piece: string): Promise<void> {
  if (stream.write(piece)) return;
  await new Promise<void>((resolve, reject) => {
    stream.once('drain', resolve);
    stream.once('error', reject);
  });
}
