import { encode } from './as-stream.ts';
import { ConnectionError } from './errors.ts';
import type { Body, Payload } from './payload.ts';

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

/** Opens an inventory for sending. If it starts with `[` it is sent as a JSON array, otherwise as NDJSON. */
export function openInventory(source: InventorySource): Payload {
  if (Array.isArray(source)) return whole(new Blob(source.map(written)));
  return isWhole(source) ? whole(source) : oneShot(source);
}

function isWhole(source: InventorySource): source is Whole {
  return (
    typeof source === 'string' ||
    ArrayBuffer.isView(source) ||
    source instanceof ArrayBuffer ||
    source instanceof Blob
  );
}

function whole(body: Whole): Payload {
  return {
    async open(headers) {
      // The slice may end inside a character; only its start matters.
      const head = await new Blob([body.slice(0, 1024) as BlobPart]).text();
      headers['content-type'] ??= /^\s*\[/.test(head) ? 'application/json' : NDJSON;
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
  async function* read(): AsyncGenerator<Uint8Array, void, void> {
    let text = '';
    try {
      // A source of another type has a `TypeError` here, before anything is sent.
      for await (const chunk of source) {
        const piece = written(chunk);
        const isText = typeof piece === 'string';
        if (isText) text += piece;
        if (isText && text.length < PIECE_LENGTH) continue;
        if (text) yield encode(text);
        text = '';
        if (!isText) yield piece;
      }
    } catch (error) {
      fault = error;
      throw error;
    }
    if (text) yield encode(text);
  }
  const bytes = read();
  let first: ReturnType<typeof bytes.next> | undefined;
  let further = false;
  return {
    open(headers) {
      headers['content-type'] ??= NDJSON;
      let begun = false;
      const body: UnderlyingDefaultSource<Uint8Array> = {
        async pull(stream) {
          further ||= begun;
          first ??= bytes.next();
          const { done, value } = await (begun ? bytes.next() : first);
          begun = true;
          if (done) stream.close();
          else stream.enqueue(value);
        },
      };
      return new ReadableStream(body, { highWaterMark: 0 });
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
  return typeof chunk === 'string' || ArrayBuffer.isView(chunk)
    ? (chunk as string | Uint8Array<ArrayBuffer>)
    : `${JSON.stringify(chunk)}\n`;
}
