import type { Problem } from './client.gen.ts';
import type { Core, Refusal } from './core.ts';
import { errorFamily } from './error-family.ts';
import { AbortError, type ApiError, ConnectionError, TimeoutError } from './errors.ts';
import { serverWaitMs } from './retry-after.ts';

/** A response that is no success: a problem document, something of a proxy's, or a success that cannot be read. */
export function refused(core: Core, response: Response, body: unknown): Refusal {
  const { status, headers } = response;
  const problem = typeof Object(body).code === 'string' ? (body as Problem) : undefined;
  const code = response.ok ? 'INVALID_RESPONSE' : (problem?.code ?? (`HTTP_${status}` as const));
  const rateLimit = core.limitsOf(headers);
  const error = new (errorFamily(status, code))({
    message: `${code}: ${problem?.detail ?? response.statusText}`,
    status,
    code,
    problem,
    correlationId: correlationId(response),
    retryAfterMs: serverWaitMs(headers, rateLimit, core.clock.wallNow()),
    rateLimit,
  });
  return { response, error };
}

/** The name of a request in the server's logs. */
export function correlationId({ headers }: Response): string | undefined {
  return headers.get('x-correlation-id') ?? undefined;
}

/** What cannot be gone on with: the signal is aborted, or else the connection could not be made, or broke. */
export function brokenOff(cause: Error, signal: AbortSignal | undefined): ApiError {
  if (signal?.aborted) return stopped(signal.reason);
  // Where several addresses were tried, the cause is a list without words of its own.
  const message = (cause.cause as Error | undefined)?.message || cause.message;
  return new ConnectionError({ message, code: 'CONNECTION_FAILED', cause });
}

/** A call that was aborted or ran out of time, by the reason of the signal that ended it. */
export function stopped(cause: unknown): ApiError {
  const { name, message = String(cause) }: Partial<Error> = Object(cause);
  return name === 'TimeoutError'
    ? new TimeoutError({ message, code: 'TIMEOUT', cause })
    : new AbortError({ message, code: 'ABORTED', cause });
}
