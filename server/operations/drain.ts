import type { Server } from 'node:http';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Health } from './health.ts';

export interface DrainOptions {
  /** How long a load balancer may take to notice that readiness has gone. */
  readonly noticeMs: number;
  /** When whatever is still open is cut. */
  readonly deadlineMs: number;
}

/** Of connections whose last answer was begun before the drain, and could not ask the client to close them. */
const IDLE_MS = 1_000;

/** A server that is so busy that there is none closes anyway. */
const QUIET_WITHIN_MS = 1_000;
/** Long enough for a turn that does nothing, too short for one that answers somebody. */
const QUIET_TURN_MS = 0.1;

/**
 * Closes a server without losing a request: readiness goes first, while it still serves and asks each client to close
 * its connection; only then does it stop listening. Closing at once loses the requests that are on their way.
 */
export async function drain(server: Server, health: Health, options: DrainOptions): Promise<void> {
  health.drain();
  // Before anybody may have sent the head of an answer.
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  server.keepAliveTimeout = IDLE_MS;
  await delay(options.noticeMs);
  await quietTurn(server);
  const deadline = setTimeout(() => server.closeAllConnections(), options.deadlineMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(deadline);
}

/**
 * Until a turn of the event loop brings no connection, and next to nothing else. The system resets connections that wait to
 * be accepted when their listener closes, with the requests on them, of which a proxy cannot know that they were not done:
 * right after such a turn there is hardly ever one.
 */
async function quietTurn(server: Server): Promise<void> {
  let isQuiet = false;
  const note = () => {
    isQuiet = false;
  };
  server.on('connection', note);
  for (const until = Date.now() + QUIET_WITHIN_MS; !isQuiet && Date.now() < until; ) {
    // Whoever has just slept is not soon put aside for others by the system.
    await delay(1);
    isQuiet = true;
    const begunAt = performance.now();
    await nextTurn();
    isQuiet &&= performance.now() - begunAt < QUIET_TURN_MS;
  }
  server.off('connection', note);
}
