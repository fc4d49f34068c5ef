import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Health } from '../platform/health.ts';

export interface DrainOptions {
  /** How long a load balancer may take to notice that the server is not ready. */
  readonly noticeMs: number;
  /** When the remaining open connections are closed. */
  readonly deadlineMs: number;
}

/** Keep-alive timeout of connections whose last response began before the drain, without `Connection: close`. */
const IDLE_MS = 1_000;

/** After this long without a request, every load balancer has noticed. */
const UNUSED_MS = 200;
/** Maximum time for which reads are refused while requests keep coming. */
const REFUSE_READS_MS = 2_000;

/** Probes of the orchestrator are answered until the end. */
const HEALTH = /^(\/api\/v1)?\/health\//;

/** The listener closes after this time even if the server never becomes idle. */
const QUIET_WITHIN_MS = 1_000;
/** A turn of the event loop shorter than this served no request. */
const QUIET_TURN_MS = 0.1;

/**
 * Closes a server without losing a request. The readiness probe fails first, while the server still serves and asks
 * each client to close its connection. After the notice period, reads are left without a response: a load balancer with
 * passive health checks repeats them on another server (RFC 9110 §9.2.2) and sends further requests there. Then the
 * server stops listening. Closing at once would lose requests in flight.
 */
export async function drain(server: Server, health: Health, options: DrainOptions): Promise<void> {
  health.drain();
  // Registered before any handler can send response headers.
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  server.keepAliveTimeout = IDLE_MS;
  await delay(options.noticeMs);
  if (options.noticeMs > 0) await refuseReads(server);
  await quietTurn(server);
  const deadline = setTimeout(() => server.closeAllConnections(), options.deadlineMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(deadline);
}

/** Closes the connections of reads, and serves everything else, until no request has come for a while. */
async function refuseReads(server: Server): Promise<void> {
  let lastAt = performance.now();
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    lastAt = performance.now();
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    // A response without a socket is queued behind an earlier one on its connection, which must not be cut.
    if (isRead && !HEALTH.test(req.url ?? '') && res.socket !== null) res.socket.destroy();
    else for (const listener of listeners) Reflect.apply(listener, server, [req, res]);
  });
  const until = performance.now() + REFUSE_READS_MS;
  while (performance.now() < Math.min(until, lastAt + UNUSED_MS)) await delay(UNUSED_MS / 10);
}

/**
 * Waits for a turn of the event loop that accepts no connection and does almost nothing. Closing a listener resets
 * connections that wait to be accepted, and a proxy cannot tell that their requests were not processed. Right after an
 * idle turn there is almost never such a connection.
 */
async function quietTurn(server: Server): Promise<void> {
  let isQuiet = false;
  const note = () => {
    isQuiet = false;
  };
  server.on('connection', note);
  for (const until = Date.now() + QUIET_WITHIN_MS; !isQuiet && Date.now() < until; ) {
    // The scheduler rarely preempts a process that has just slept.
    await delay(1);
    isQuiet = true;
    const begunAt = performance.now();
    await nextTurn();
    isQuiet &&= performance.now() - begunAt < QUIET_TURN_MS;
  }
  server.off('connection', note);
}
