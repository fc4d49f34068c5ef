/** A file as it is sent. */
interface PreparedInventory {
  /** Compressed with gzip. */
  readonly body: Blob;
  readonly contentType: 'application/json' | 'application/x-ndjson';
}

/** How much of a file is read to find out its format, in bytes. */
const HEAD_BYTES = 262_144;

/** What is wrong with a file, for a person. */
export class FileError extends Error {}

/**
 * Compresses an export for the upload and finds out its format. A file that is compressed already stays as it is.
 * @param onRead is called with the number of bytes that have been read.
 * @throws {FileError} for a file that cannot be read, and for a `.gz` file that is not gzip.
 */
export async function prepareInventory(
  file: File,
  onRead: (bytes: number) => void,
  signal: AbortSignal,
): Promise<PreparedInventory> {
  try {
    return await prepare(file, onRead, signal);
  } catch (error) {
    // Browsers report a file that was moved or is a folder, and a stopped upload, with a DOMException.
    if (signal.aborted) throw error;
    if (error instanceof DOMException)
      throw new FileError('The file cannot be read. Choose it again.', { cause: error });
    if (error instanceof TypeError && isGzipName(file))
      throw new FileError('The file ends with .gz but is not gzip.', { cause: error });
    throw error;
  }
}

/** By its first bytes (RFC 1952, 2.3.1), so that it is not compressed again. */
async function isGzip(file: File): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}

const isGzipName = ({ name }: File): boolean => /\.gz$/i.test(name);

async function prepare(
  file: File,
  onRead: (bytes: number) => void,
  signal: AbortSignal,
): Promise<PreparedInventory> {
  const isCompressed = isGzipName(file) || (await isGzip(file));
  const contentType = formatOf(file.name, await headOf(file, isCompressed));
  if (isCompressed) return { body: file, contentType };
  let read = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      read += chunk.byteLength;
      onRead(read);
      controller.enqueue(chunk);
    },
  });
  const compressed = file
    .stream()
    .pipeThrough(counter, { signal })
    .pipeThrough(new CompressionStream('gzip'));
  return { body: await new Response(compressed).blob(), contentType };
}

/**
 * The format by the content, because exports to Cloud Storage have one record a line in files that end with `.json`.
 */
function formatOf(fileName: string, head: string): PreparedInventory['contentType'] {
  const text = head.trimStart();
  // Comments between records; a JSON document has none.
  if (text.startsWith('#')) return 'application/x-ndjson';
  if (text.startsWith('[')) return 'application/json';
  const end = text.indexOf('\n');
  if (end > 0 && text.slice(end).trim() !== '' && isJson(text.slice(0, end)))
    return 'application/x-ndjson';
  return /\.json(\.gz)?$/i.test(fileName) ? 'application/json' : 'application/x-ndjson';
}

async function headOf(file: File, isCompressed: boolean): Promise<string> {
  if (!isCompressed) return file.slice(0, HEAD_BYTES).text();
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    const { value } = await reader.read();
    return new TextDecoder().decode(value);
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
