import type { Server } from 'node:http';
import type { Health } from './health.ts';

export interface DrainOptions {
  /** How long a load balancer may take to notice that readiness has gone. */
  readonly noticeMs: number;
  /** When whatever is still open is cut. */
  readonly deadlineMs: number;
}

/** Of connections whose last answer was begun before the drain, and could not ask the client to close them. */
const IDLE_MS = 1_000;

/**
 * Closes a server without losing a request: readiness goes first, while it still serves and asks each client to close
 * its connection; only then does it stop listening. Closing at once loses the requests that are on their way.
 */
export async function drain(server: Server, health: Health, options: DrainOptions): Promise<void> {
  health.drain();
  // Before anybody may have sent the head of an answer.
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  server.keepAliveTimeout = IDLE_MS;
  await new Promise((resolve) => setTimeout(resolve, options.noticeMs));
  const deadline = setTimeout(() => server.closeAllConnections(), options.deadlineMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(deadline);
}
