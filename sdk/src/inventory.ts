import { bytesOf } from './as-stream.ts';
import { ConnectionError } from './errors.ts';
import type { Body, Payload } from './payload.ts';
import { invalidInput } from './url.ts';

/** A piece of an inventory. Text and bytes are sent unchanged; anything else is one asset, sent as a line of JSON. */
export type InventoryChunk = string | Uint8Array | object;

/**
 * Sources of an inventory: the text or bytes of an export, or its pieces. A string, bytes, a `Blob` and an array can be
 * sent again. Streams and other iterables can be sent again only when no connection was made.
 */
export type InventorySource = Whole | Pieces;

type Whole = string | Uint8Array | ArrayBuffer | Blob;

type Pieces =
  | ReadableStream<InventoryChunk>
  | AsyncIterable<InventoryChunk>
  | Iterable<InventoryChunk>;

/** Text is collected to pieces of this many characters, because a write per asset would be slow. */
const PIECE_LENGTH = 65_536;

const NDJSON = 'application/x-ndjson';

/**
 * The beginning of a JSON array, or of what `terraform show -json` prints. A record of NDJSON does not begin with a line
 * break.
 */
const JSON_START = /^\s*(\[|{\s*("format_v|\n))/;

/**
 * Opens an inventory for sending, as JSON or as NDJSON by its beginning.
 * @throws {ValidationError} for a source of another type.
 */
export function openInventory(source: InventorySource): Payload {
  if (Array.isArray(source)) return whole(new Blob(source.map(written)));
  if (isText(source)) return whole(source);
  const object = Object(source);
  if (object[Symbol.asyncIterator] ?? object[Symbol.iterator]) return oneShot(object);
  // An `ArrayBuffer` or a `Blob`, perhaps of another realm.
  if ('slice' in object) return whole(object);
  throw invalidInput('inventory must be text, bytes, a Blob or an iterable');
}

/** Whether it is text, or bytes of it. */
function isText(
  source: InventorySource | InventoryChunk,
): source is string | Uint8Array<ArrayBuffer> {
  return typeof source === 'string' || ArrayBuffer.isView(source);
}

function whole(body: Whole): Payload {
  return {
    async open(headers) {
      // The slice may end inside a character; only its start matters.
      const head = await new Blob([body.slice(0, 1024) as BlobPart]).text();
      headers['content-type'] ??= JSON_START.test(head) ? 'application/json' : NDJSON;
      return body as Body;
    },
  };
}

/**
 * A source that can be read once. Node reads the first piece before it connects, so that piece is kept and can be sent
 * again when no connection was made.
 */
function oneShot(source: Pieces): Payload {
  // A stream of Node may fail before it is read, and an error that nobody listens for ends the process.
  (source as Emitter).once?.('error', () => {});
  let fault: unknown;
  async function* read(): AsyncGenerator<string | Uint8Array, void, void> {
    let text = '';
    try {
      for await (const chunk of source) {
        const piece = written(chunk);
        const isText = typeof piece === 'string';
        if (isText) text += piece;
        if (isText && text.length < PIECE_LENGTH) continue;
        if (text) yield text;
        text = '';
        if (!isText) yield piece;
      }
    } catch (error) {
      fault = error;
      throw error;
    }
    if (text) yield text;
  }
  const bytes = read();
  let first: ReturnType<typeof bytes.next> | undefined;
  let further = false;
  return {
    open(headers) {
      headers['content-type'] ??= NDJSON;
      let begun = false;
      return bytesOf(() => {
        if (begun) {
          further = true;
          return bytes.next();
        }
        begun = true;
        first ??= bytes.next();
        return first;
      });
    },
    consumed: (unsent) => !!(first && (!unsent || further || fault)),
    close(error) {
      // Node keeps reading after the connection has failed, so an endless source would fill the memory.
      bytes.return().catch(() => {});
      // `fetch` rejects with the error of the source or with one of its own.
      if (fault && error instanceof ConnectionError) throw fault;
    },
  };
}

/** What is used of a stream of Node. */
interface Emitter {
  once?(event: 'error', listener: () => void): unknown;
}

function written(chunk: InventoryChunk): string | Uint8Array<ArrayBuffer> {
  return isText(chunk) ? chunk : `${JSON.stringify(chunk)}\n`;
}
