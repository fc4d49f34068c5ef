import type { Core, Refusal } from './core.ts';
import { errorFamily } from './error-family.ts';
import { AbortError, type ApiError, ConnectionError, TimeoutError } from './errors.ts';
import type { Problem } from './models.gen.ts';
import { serverWaitMs } from './retry-after.ts';

/** For a success that cannot be read, and a redirect. */
const HINT = '; check baseUrl';

/**
 * An unsuccessful response: a problem document, a response of a proxy, a success that cannot be read, or a redirect,
 * which browsers replace by a response with the status 0.
 */
export function refused(core: Core, response: Response, text: string, body: unknown): Refusal {
  const { status, headers } = response;
  const problem = typeof Object(body).code === 'string' ? (body as Problem) : undefined;
  const isInvalid = response.ok || !status;
  const code = isInvalid ? 'INVALID_RESPONSE' : (problem?.code ?? (`HTTP_${status}` as const));
  const reason = (status ? response.statusText : 'redirected') + (isInvalid ? HINT : '');
  const rateLimit = core.limitsOf(headers);
  const error = new (errorFamily(status, code))({
    message: `${code}: ${problem?.detail ?? reason}`,
    status,
    code,
    problem,
    correlationId: correlationId(response),
    retryAfterMs: serverWaitMs(headers, rateLimit, core.clock.wallNow()),
    rateLimit,
    headers,
    body: text.slice(0, 4096),
  });
  return { response, error };
}

/** Id of a request in the server's logs. */
export function correlationId({ headers }: Response): string | undefined {
  return headers.get('x-correlation-id') ?? undefined;
}

/** A failure without a response: the signal was aborted, or the connection could not be made or broke. */
export function brokenOff(cause: Error, signal: AbortSignal | undefined): ApiError {
  if (signal?.aborted) return stopped(signal.reason);
  // When several addresses were tried, the cause is a list without a message.
  const message = (cause.cause as Error | undefined)?.message || cause.message;
  return new ConnectionError({ message, code: 'CONNECTION_FAILED', cause });
}

/** The error of a call that was aborted or timed out, from the reason of its signal. */
export function stopped(cause: unknown): ApiError {
  const { name, message = String(cause) }: Partial<Error> = Object(cause);
  return name === 'TimeoutError'
    ? new TimeoutError({ message, code: 'TIMEOUT', cause })
    : new AbortError({ message, code: 'ABORTED', cause });
}
