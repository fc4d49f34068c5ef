const HEAD_BYTES = 1024;
const PIECE_BYTES = 65_536;

/** A file that can be read several times. */
export interface OpenFile {
  /** Its beginning, decompressed. */
  readonly head: Uint8Array;
  readonly isGzip: boolean;
  readonly size: number;
  open(): ReadableStream<Uint8Array>;
}

/** What is used of `node:fs`. Its types are not those of this package, which is for browsers too. */
interface Files {
  closeSync(descriptor: number): void;
  fstatSync(descriptor: number): { readonly size: number };
  openSync(path: string, flags: string): number;
  readSync(
    descriptor: number,
    into: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): number;
  readonly promises: { open(path: string, flags: string): Promise<FileHandle> };
}

/** What is used of `node:zlib`. */
interface Zlib {
  gunzipSync(bytes: Uint8Array, options: { readonly finishFlush: number }): Uint8Array;
}

/** Z_SYNC_FLUSH: the bytes may end before the file does. */
const MAY_END_EARLY = 2;

interface FileHandle {
  read(into: Uint8Array, offset: number, length: number): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

interface Runtime {
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

/**
 * @param onFault Called with the error of a file that can no longer be read.
 * @throws {TypeError} where there are no files; an error of Node for a file that cannot be read.
 */
export function openFile(path: string, onFault: (error: unknown) => void): OpenFile {
  const { closeSync, fstatSync, openSync, readSync, promises } = builtIn<Files>('node:fs');
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const buffer = new Uint8Array(HEAD_BYTES);
    const head = buffer.subarray(0, readSync(descriptor, buffer, 0, HEAD_BYTES, 0));
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    const open = () => streamOf(() => promises.open(path, 'r'), onFault);
    return { head: isGzip ? decompressed(head) : head, isGzip, size, open };
  } finally {
    closeSync(descriptor);
  }
}

/** If it is broken, it is returned as it is, and the server says so. */
function decompressed(head: Uint8Array): Uint8Array {
  try {
    return builtIn<Zlib>('node:zlib').gunzipSync(head, { finishFlush: MAY_END_EARLY });
  } catch {
    return head;
  }
}

/** Opens the file when its first piece is requested, because not every attempt reads its body. */
function streamOf(
  open: () => Promise<FileHandle>,
  onFault: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let opened: Promise<FileHandle> | undefined;
  let isCancelled = false;
  async function read(): Promise<Uint8Array> {
    opened ??= open();
    const file = await opened;
    const piece = new Uint8Array(PIECE_BYTES);
    let length = 0;
    try {
      length = (await file.read(piece, 0, PIECE_BYTES)).bytesRead;
    } finally {
      if (length === 0) await file.close();
    }
    return piece.subarray(0, length);
  }
  return new ReadableStream(
    {
      async pull(stream) {
        const piece = await read().catch((error) => {
          // Closing the file of an attempt that is over may break its last read.
          if (!isCancelled) onFault(error);
          throw error;
        });
        if (piece.length === 0) stream.close();
        else stream.enqueue(piece);
      },
      async cancel() {
        isCancelled = true;
        await (await opened)?.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Not imported, because bundlers for browsers refuse modules of Node. */
function builtIn<Module>(name: string): Module {
  const found = (globalThis as Runtime).process?.getBuiltinModule?.(name);
  if (!found)
    throw new TypeError('A path needs Node 20.16 or later, Bun or Deno. Pass a Blob or a stream.');
  return found as Module;
}
