import { type AssetCounter, assetCounter } from './asset-counter.ts';
import type { OpenFile } from './files.ts';
import { sendByBrowser } from './send-by-browser.ts';
import type { UploadProgress } from './types.ts';

type Fetch = typeof globalThis.fetch;

/** The sizes of what one attempt sends. */
type Report = (progress: Pick<UploadProgress, 'bytes' | 'assets'>) => void;

/**
 * A fetch that reports the progress of the body. It is called once for each attempt, so that retries are those of the
 * client.
 * @param file Sent instead of the body.
 */
export function progressFetch(
  onProgress: (progress: UploadProgress) => void,
  file: OpenFile | undefined,
  given: Fetch | undefined,
): Fetch {
  let attempt = 0;
  return async (url, init = {}) => {
    const body = file ? file.open() : init.body;
    const headers = new Headers(init.headers);
    const whole = body instanceof ReadableStream ? undefined : new Blob([body as BlobPart]);
    const totalBytes = file ? file.size : whole?.size;
    attempt += 1;
    const of = { totalBytes, attempt };
    const report: Report = (progress) => {
      // What was read ahead of an abort is no progress.
      if (!init.signal?.aborted) onProgress({ ...of, ...progress });
    };
    const byBrowser = !given && whole && typeof XMLHttpRequest === 'function';
    const counter = byBrowser ? undefined : assetCounter(headers);
    report({ bytes: 0, assets: counter?.assets() });
    if (byBrowser) {
      return sendByBrowser(String(url), init, body as Blob, (bytes) =>
        report({ bytes, assets: undefined }),
      );
    }
    const reader = (whole ? whole.stream() : (body as ReadableStream<Uint8Array>)).getReader();
    try {
      return await (given ?? globalThis.fetch)(url, {
        ...init,
        body: withProgress(reader, counter, report),
      });
    } finally {
      // The server may have answered, or the connection failed, before all was read.
      reader.cancel().catch(() => {});
    }
  };
}

/** Reads a piece when the connection asks for one. */
function withProgress(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  counter: AssetCounter | undefined,
  report: Report,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  return new ReadableStream(
    {
      async pull(stream) {
        const { done, value } = await reader.read();
        if (done) {
          counter?.end();
          report({ bytes, assets: counter?.assets() });
          stream.close();
          return;
        }
        bytes += value.byteLength;
        counter?.read(value);
        report({ bytes, assets: counter?.assets() });
        stream.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
