/** Called with the number of bytes that the browser has sent so far. */
type ProgressListener = (sent: number) => void;

const listeners = new WeakMap<Blob, ProgressListener>();

/** Reports the progress of every request that has this body. */
export function onUploadProgress(body: Blob, listener: ProgressListener): void {
  listeners.set(body, listener);
}

/**
 * `fetch`, except that a request whose body has a progress listener uses XMLHttpRequest: fetch reports no progress.
 * The client of the API adds credentials and repeats failed attempts as for every other call.
 */
export const progressFetch: typeof fetch = (input, init = {}) => {
  const { body } = init;
  const listener = body instanceof Blob ? listeners.get(body) : undefined;
  if (listener === undefined) return fetch(input, init);
  return send(String(input), init, body as Blob, listener);
};

function send(
  url: string,
  { method = 'GET', headers, signal }: RequestInit,
  body: Blob,
  listener: ProgressListener,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, url);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => listener(loaded);
    request.onload = () => resolve(responseOf(request));
    // The same error that fetch throws, by which the client knows that the server was not reached.
    request.onerror = () => reject(new TypeError('Failed to fetch'));
    request.onabort = () => reject(signal?.reason ?? new DOMException('Aborted', 'AbortError'));
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    listener(0);
    request.send(body);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const { status, responseText } = request;
  return new Response(status === 204 ? null : responseText, { status, headers });
}
