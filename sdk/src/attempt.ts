import type { Core, Outcome, Prepared } from './core.ts';
import type { Attempt } from './errors.ts';
import { lost, refused, stopped } from './failure.ts';
import { timeLimit } from './time-limit.ts';

/** Makes one attempt: sends the request and reads the whole response, within a time and until the caller aborts. */
export async function attempt(
  core: Core,
  call: Prepared,
  headers: Headers,
  attempts: readonly Attempt[],
): Promise<Outcome> {
  const { payload, signal: caller } = call;
  const leftMs = call.deadline - core.clock.now();
  const { signal, end } = timeLimit(Math.min(call.attemptTimeoutMs, leftMs), caller);
  try {
    // A redirect is never followed: fetch would hand `X-API-Key` on to whatever host it names.
    const response = await core.fetch(call.url, {
      method: call.operation.method,
      headers,
      signal,
      redirect: 'manual',
      ...(payload && { body: payload.open(), duplex: 'half' }),
    });
    return answered(core, response, await response.text(), attempts);
  } catch (cause) {
    // Not `instanceof`: under some test runners fetch is of another realm, and so are its errors.
    const fault = typeof cause === 'object' && cause ? (cause as Error) : new Error(String(cause));
    return signal.aborted
      ? { fault, error: stopped(signal.reason, attempts) }
      : { fault, error: lost(fault, attempts), unsent: precedesSending(fault) };
  } finally {
    end();
  }
}

function answered(
  core: Core,
  response: Response,
  text: string,
  attempts: readonly Attempt[],
): Outcome {
  let data: unknown;
  try {
    data = text ? JSON.parse(text) : undefined;
    if (response.ok) return { response, data };
  } catch {
    // A page of a proxy, perhaps: its status is all that it tells.
  }
  return refused(core, response, data, attempts);
}

/**
 * Whether the name could not be resolved or the connection not be made. Each runtime has words of its own for it (here
 * Node, Bun and Deno); browsers tell nothing, so nothing is proven there.
 */
function precedesSending(fault: Error): boolean {
  const cause = (fault.cause ?? fault) as NetworkFault;
  return [cause, ...(cause.errors ?? [])].some(({ syscall, code, message }) =>
    /^(connect|getaddrinfo),|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|client error \(Connect\)/.test(
      `${syscall},${code},${message}`,
    ),
  );
}

interface NetworkFault {
  readonly code?: string;
  readonly syscall?: string;
  readonly message?: string;
  readonly errors?: readonly NetworkFault[];
}
