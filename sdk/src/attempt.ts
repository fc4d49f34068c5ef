import type { Core, Outcome, Prepared } from './core.ts';
import { brokenOff, refused } from './failure.ts';
import { onAbort } from './on-abort.ts';
import { openStream } from './open-stream.ts';
import { timeLimit } from './time-limit.ts';

/**
 * Makes one attempt within a time and until the caller aborts: sends the request and reads the whole response, or of a
 * stream the first piece.
 */
export async function attempt(
  core: Core,
  call: Prepared,
  headers: Record<string, string>,
): Promise<Outcome> {
  const { operation, signal: caller } = call;
  const streamed = /[ex]/.test(operation.traits);
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (reason: unknown) => controller.abort(reason);
  const leftMs = call.deadline - core.clock.now();
  const end = timeLimit(Math.min(call.attemptTimeoutMs, leftMs), caller, abort);
  try {
    // Called without `this`: the `fetch` of a browser refuses to be the method of anything else.
    const { fetch = globalThis.fetch } = core;
    const response = await fetch(call.url, {
      method: operation.method,
      headers,
      signal,
      // A redirect is never followed: fetch would hand `X-API-Key` on to whatever host it names.
      redirect: 'manual',
      ...(call.payload && { body: await call.payload.open(headers), duplex: 'half' }),
    });
    const { body } = response;
    if (streamed && response.ok && body) {
      end();
      // A function of its own: the watch that has ended will be ended once more.
      onAbort(caller, (reason) => abort(reason));
      return { response, data: await openStream(body, abort) };
    }
    return answered(core, response, await response.text(), streamed);
  } catch (cause) {
    const fault: Error = Object(cause);
    return { fault, error: brokenOff(fault, signal), unsent: precedesSending(fault) };
  } finally {
    end();
  }
}

function answered(core: Core, response: Response, text: string, streamed: boolean): Outcome {
  let data: unknown;
  try {
    if (text) data = JSON.parse(text);
    if (response.ok && !streamed) return { response, data };
  } catch {
    // A page of a proxy, perhaps: its status is all that it tells.
  }
  return refused(core, response, data);
}

/**
 * Whether the name could not be resolved or the connection not be made. Each runtime has words of its own for it (here
 * Node, Bun and Deno); browsers tell nothing, so nothing is proven there.
 */
function precedesSending(fault: Error): boolean {
  const cause = (fault.cause ?? fault) as NetworkFault;
  return [cause, ...(cause.errors ?? [])].some(({ code, message }) =>
    /connect E|getaddrinfo|CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|\(Connect\)/.test(
      `${code} ${message}`,
    ),
  );
}

interface NetworkFault {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly NetworkFault[];
}
