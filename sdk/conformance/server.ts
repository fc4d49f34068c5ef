import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server received it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Settles when the connection has finished the request. */
  readonly over: Promise<void>;
  /** When its headers had arrived, on the server's clock. */
  readonly at: number;
}

/** The clock for `at` and for the `Date` header. */
export interface ServerTime {
  /** Monotonic milliseconds. */
  now(): number;
  /** Milliseconds since 1970. */
  wallNow(): number;
}

const REAL_TIME: ServerTime = { now: () => performance.now(), wallNow: () => Date.now() };

/** A scripted response. Defaults: status 200, the usual headers, no body, no delay. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or unchanged when it is a string. */
  readonly body?: unknown;
  readonly afterMs?: number;
  /** Chunks sent instead of the body, such as server-sent events. */
  readonly pieces?: readonly (string | Uint8Array)[];
  /** The same, each chunk when it becomes available. */
  readonly awaitedPieces?: AsyncIterable<string | Uint8Array>;
  /** Real milliseconds between two chunks. */
  readonly everyMs?: number;
  /** Keeps the response open after the last chunk. */
  readonly unfinished?: boolean;
  /** Breaks the connection after the last chunk. */
  readonly broken?: true;
}

/**
 * What to do with a request: send a response; `reset` the connection after reading it; `refuse-body`: reset before
 * reading the body; `cut` the response in the middle of its body; `hang` until the client gives up; or call a function
 * that decides.
 */
export type Step = Reply | Breakage | ((request: Received) => Step | Promise<Step>);

export type Breakage = 'reset' | 'refuse-body' | 'cut' | 'hang';

/** A loopback server that plays a script and records the requests it receives. */
export interface LoopbackServer {
  readonly url: string;
  readonly requests: readonly Received[];
  /** The requests of one route, such as `POST /scans`. */
  to(route: string): Received[];
  /** Scripts the responses of a route in order; the last one repeats. */
  on(route: string, ...steps: readonly [Step, ...Step[]]): void;
  /** Adds headers to every response from now on. */
  always(headers: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. Routes without a script answer 404. */
export async function startServer(time: ServerTime = REAL_TIME): Promise<LoopbackServer> {
  const requests: Received[] = [];
  const scripts = new Map<string, Step[]>();
  let common: Readonly<Record<string, string>> = {};

  const server = createServer(async (request, response) => {
    const at = time.now();
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const method = request.method ?? '';
    const steps = scripts.get(`${method} ${pathname}`) ?? [problem(404, 'NOT_FOUND')];
    let [step = {}] = steps;
    if (steps.length > 1) steps.shift();
    const chunks: Buffer[] = [];
    try {
      if (step === 'refuse-body') request.socket.resetAndDestroy();
      else for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const received = {
      method,
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      at,
      over: new Promise<void>((resolve) => response.once('close', resolve)),
    };
    requests.push(received);
    while (typeof step === 'function') step = await step(received);
    if (typeof step === 'string') return breakOff(step, response);
    const headers = { date: new Date(time.wallNow()).toUTCString(), ...common };
    if (step.afterMs) setTimeout(answer, step.afterMs, step, headers, response);
    else answer(step, headers, response);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    to: (route) => requests.filter(({ method, path }) => route === `${method} ${path}`),
    on: (route, ...steps) => void scripts.set(route, [...steps]),
    always(headers) {
      common = headers;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Ports used by this process: clients remember limits by origin, so no test may reuse another's port. */
const used = new Set<number>();

async function listen(server: Server): Promise<number> {
  for (;;) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    if (!used.has(port)) {
      used.add(port);
      return port;
    }
    await new Promise((resolve) => server.close(resolve));
  }
}

function answer(reply: Reply, common: Readonly<Record<string, string>>, response: ServerResponse) {
  const { status = 200, body } = reply;
  const json = body !== undefined && typeof body !== 'string';
  response.writeHead(status, {
    'x-correlation-id': 'test-correlation',
    ...(json && {
      'content-type': status >= 400 ? 'application/problem+json' : 'application/json',
    }),
    ...common,
    ...reply.headers,
  });
  if (reply.pieces || reply.awaitedPieces) void sendPieces(reply, response);
  else response.end(json ? JSON.stringify(body) : body);
}

async function sendPieces(reply: Reply, to: ServerResponse) {
  const { pieces = [], everyMs = 0, unfinished, broken } = reply;
  to.flushHeaders();
  for await (const piece of reply.awaitedPieces ?? pieces) {
    if (to.closed) return;
    to.write(piece);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  if (broken) to.socket?.resetAndDestroy();
  else if (!unfinished) to.end();
}

function breakOff(breakage: Breakage, response: ServerResponse) {
  if (breakage === 'hang') return;
  if (breakage === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"id":', () => response.socket?.resetAndDestroy());
    return;
  }
  response.socket?.resetAndDestroy();
}

/** A problem document (RFC 9457) with this status and code. */
export function problem(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const type = `/problems/${code.toLowerCase().replaceAll('_', '-')}`;
  const body = { type, title: code, status, detail: `It is ${code}.`, code, correlationId: 'test' };
  return { status, headers, body };
}

/** A rate limit as the service counts it, in fixed windows that start with their first request. */
export function fixedWindow(
  name: string,
  quota: number,
  windowSeconds: number,
  now: () => number,
): (within: Step) => Step {
  let count = 0;
  let endsAt = 0;
  return (within) => async (request) => {
    if (now() >= endsAt) {
      count = 0;
      endsAt = now() + windowSeconds * 1000;
    }
    count += 1;
    const resetSeconds = Math.ceil((endsAt - now()) / 1000);
    const headers = {
      ratelimit: `"${name}";r=${Math.max(0, quota - count)};t=${resetSeconds}`,
      'ratelimit-policy': `"${name}";q=${quota};w=${windowSeconds};pk=:aGVyZQ==:`,
    };
    if (count > quota) {
      return problem(429, 'RATE_LIMITED', { ...headers, 'retry-after': `${resetSeconds}` });
    }
    let step = within;
    while (typeof step === 'function') step = await step(request);
    return typeof step === 'string' ? step : { ...step, headers: { ...headers, ...step.headers } };
  };
}
