import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server saw it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Settles when the connection is done with it. */
  readonly over: Promise<void>;
  /** When its headers had arrived, on the clock of the server's time. */
  readonly at: number;
}

/** What a server goes by, for `at` and for the `Date` of its answers. */
export interface ServerTime {
  /** Milliseconds that never run backwards. */
  now(): number;
  /** Milliseconds since 1970. */
  wallNow(): number;
}

const REAL_TIME: ServerTime = { now: () => performance.now(), wallNow: () => Date.now() };

/** A scripted answer. Left out: 200, no headers besides the usual ones, no body, at once. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as it is where it is a string. */
  readonly body?: unknown;
  readonly afterMs?: number;
  /** Sent in place of the body, one piece after the other, such as server-sent events. */
  readonly pieces?: readonly (string | Uint8Array)[];
  /** Between two pieces, in real milliseconds. */
  readonly everyMs?: number;
  /** After the last piece the answer stays open. */
  readonly unfinished?: boolean;
  /** After the last piece the connection breaks. */
  readonly broken?: true;
}

/**
 * What to do with a request: answer it; `reset` the connection once it was read; `refuse-body`: reset it before its
 * body was read; `cut` the answer in the middle of its body; `hang` until the client gives up; or find out first.
 */
export type Step = Reply | Breakage | ((request: Received) => Step | Promise<Step>);

export type Breakage = 'reset' | 'refuse-body' | 'cut' | 'hang';

/** A loopback server that plays a script and remembers what it was sent. */
export interface LoopbackServer {
  readonly url: string;
  readonly requests: readonly Received[];
  /** The requests of one route, such as `POST /scans`. */
  to(route: string): Received[];
  /** What to do with the requests of a route, one step after the other; the last one stays. */
  on(route: string, ...steps: readonly [Step, ...Step[]]): void;
  /** Headers that every answer carries from now on. */
  always(headers: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. A route without a script is answered with 404. */
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

/** Ports that this process has had: clients remember limits by origin, and no test may find those of another. */
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
  if (reply.pieces) void sendPieces(reply, response);
  else response.end(json ? JSON.stringify(body) : body);
}

async function sendPieces(reply: Reply, to: ServerResponse) {
  const { pieces = [], everyMs = 0, unfinished, broken } = reply;
  to.flushHeaders();
  for (const piece of pieces) {
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

/** A problem document (RFC 9457) with the status and code given. */
export function problem(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const type = `/problems/${code.toLowerCase().replaceAll('_', '-')}`;
  const body = { type, title: code, status, detail: `It is ${code}.`, code, correlationId: 'test' };
  return { status, headers, body };
}

/** A limit as the service counts it, in fixed windows that begin with their first request. */
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
