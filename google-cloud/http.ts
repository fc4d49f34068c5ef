export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Headers;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** From the connection to the last byte. */
  readonly timeoutMs: number;
  /** The limit of the decompressed response. */
  readonly maxBytes: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** The answer is longer than the limit. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}

/** No complete answer: a time limit, a broken connection or an address that cannot be reached. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

/**
 * Sends one request and reads the whole answer. Redirects are not followed, because the credential is for this address.
 * @throws {NoResponse} | {ResponseTooLarge} | the reason of the signal
 */
export async function send(url: string, request: HttpRequest): Promise<HttpResponse> {
  const { method, headers, body, signal, timeoutMs, maxBytes } = request;
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body !== undefined && { body }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: await readAtMost(response, maxBytes),
    };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ResponseTooLarge) throw error;
    throw new NoResponse(
      timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error),
    );
  }
}

async function readAtMost(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the body and with it the connection.
    if (length > maxBytes) throw new ResponseTooLarge(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** `fetch` hides why it failed in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'the connection failed';
}
