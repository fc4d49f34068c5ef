import { bodies } from './call.ts';
import type { Core, Outcome, Prepared } from './core.ts';
import { brokenOff, refused } from './failure.ts';
import { onAbort } from './on-abort.ts';
import { openStream } from './open-stream.ts';
import { timeLimit } from './time-limit.ts';

/**
 * Makes one attempt within its time limit: sends the request and reads the whole response, or the first piece of a
 * stream.
 */
export async function attempt(
  core: Core,
  call: Prepared,
  headers: Record<string, string>,
): Promise<Outcome> {
  const { operation, signal: caller } = call;
  const { streamed, opening, binary } = operation.traits;
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (reason: unknown) => controller.abort(reason);
  const leftMs = call.deadline - core.clock.now();
  const end = timeLimit(Math.min(call.attemptTimeoutMs, leftMs), caller, abort);
  try {
    // Called without `this`, because a browser's `fetch` throws when called as a method.
    const { fetch = globalThis.fetch } = core;
    const response = await fetch(call.url, {
      method: operation.method,
      headers,
      signal,
      // Never follow redirects: fetch would send `X-API-Key` to any host they name.
      redirect: 'manual',
      // New tokens reach the browser although its page is closed: the ones before are spent.
      keepalive: opening,
      ...(call.payload && { body: await call.payload.open(headers), duplex: 'half' }),
    });
    const { body, ok } = response;
    if (streamed && ok && body) {
      end();
      // A new function each time, because an ended watch is ended again.
      onAbort(caller, (reason) => abort(reason));
      return { response, data: await openStream(body, abort) };
    }
    // An operation that the client does not know may have any content type, or no content.
    const isBlob =
      binary && ok && body && !/[/+]json\s*(;|$)/i.test(`${response.headers.get('content-type')}`);
    const content = await (isBlob ? response.blob() : response.text());
    return answered(core, response, content, streamed);
  } catch (cause) {
    const fault: Error = Object(cause);
    return { fault, error: brokenOff(fault, signal), unsent: precedesSending(fault) };
  } finally {
    end();
  }
}

function answered(
  core: Core,
  response: Response,
  content: string | Blob,
  streamed: boolean,
): Outcome {
  let data: unknown;
  try {
    if (content) data = typeof content === 'string' ? JSON.parse(content) : content;
    if (response.ok && !streamed) {
      bodies.set(response, content);
      return { response, data };
    }
  } catch {
    // Possibly an error page of a proxy; only its status is useful.
  }
  // A refused content is text: only that of a success is read as a Blob.
  return refused(core, response, content as string, data);
}

/**
 * Whether the name was not resolved or the connection not made, so that nothing was sent. Node, Bun and Deno have
 * different messages; browsers give no cause, so there the answer is no.
 */
function precedesSending(fault: Error): boolean {
  const cause = (fault.cause ?? fault) as NetworkFault;
  return [cause, ...(cause.errors ?? [])].some(({ code, message }) =>
    /connect E|getaddr|CONNECT_T|ConnectionRef|FailedToOpen|Connect\)/.test(`${code} ${message}`),
  );
}

interface NetworkFault {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly NetworkFault[];
}
