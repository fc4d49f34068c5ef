import type { Problem } from './client.gen.ts';
import type { Core, Failure } from './core.ts';
import { errorFamily } from './error-family.ts';
import {
  AbortError,
  type ApiError,
  type Attempt,
  ConnectionError,
  TimeoutError,
} from './errors.ts';
import { serverWaitMs } from './retry-after.ts';

/** A response that is no success: a problem document, something of a proxy's, or a success that is not JSON. */
export function refused(
  core: Core,
  response: Response,
  body: unknown,
  attempts: readonly Attempt[],
): Failure {
  const { status, statusText, headers, ok } = response;
  const problem = isProblem(body) ? body : undefined;
  const code = ok ? 'INVALID_RESPONSE' : (problem?.code ?? (`HTTP_${status}` as const));
  const rateLimit = core.limitsOf(response);
  const error = new (errorFamily(status, code))({
    message: `${code}: ${problem?.detail ?? statusText}`,
    status,
    code,
    problem,
    correlationId: correlationId(response),
    attempts,
    retryAfterMs: serverWaitMs(headers, rateLimit, core.clock.wallNow()),
    rateLimit,
  });
  return { response, error };
}

/** The name of a request in the server's logs. */
export function correlationId(response: Response): string | undefined {
  return response.headers.get('x-correlation-id') ?? undefined;
}

/** A connection that could not be made, or broke. */
export function lost(fault: Error, attempts: readonly Attempt[]): ApiError {
  // Where several addresses were tried, the cause is a list without words of its own.
  const message = (fault.cause as Error | undefined)?.message || fault.message;
  return new ConnectionError({ message, code: 'CONNECTION_FAILED', attempts, cause: fault });
}

/** A call that was aborted or ran out of time, by the reason of the signal that ended it. */
export function stopped(cause: unknown, attempts: readonly Attempt[]): ApiError {
  const { name, message = String(cause) } = (cause ?? {}) as Partial<Error>;
  return name === 'TimeoutError'
    ? new TimeoutError({ message, code: 'TIMEOUT', attempts, cause })
    : new AbortError({ message, code: 'ABORTED', attempts, cause });
}

function isProblem(body: unknown): body is Problem {
  return typeof (body as Problem | null | undefined)?.code === 'string';
}
