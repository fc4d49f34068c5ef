import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEMS, type ProblemCode } from '@cspm/contract';
import { ProblemError, problemBody } from '../platform/problem.ts';

/**
 * Answers a request that the HTTP parser rejected with a problem, and closes the connection, because the start of the
 * next request is unknown.
 */
export function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  writeRefusal(socket, REFUSALS[error.code ?? ''] ?? MALFORMED);
}

/** How long a client has to read the refusal of a tunnel. */
const TUNNEL_MS = 1_000;

/**
 * Answers CONNECT, which Node does not pass on as a request. There is no method to name in `Allow`. Node has given up the
 * connection, so nothing else would read from it or close it.
 */
export function refuseTunnel(_: IncomingMessage, socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), TUNNEL_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.resume();
  writeRefusal(socket, TUNNEL, ['Allow: ']);
}

function writeRefusal(
  socket: Duplex,
  { code, status, detail }: Refusal,
  headers: readonly string[] = [],
): void {
  const correlationId = randomUUID();
  const problem = problemBody(new ProblemError(code, detail), correlationId);
  const body = JSON.stringify({ ...problem, status });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Correlation-ID: ${correlationId}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      ...headers,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

interface Refusal {
  readonly code: ProblemCode;
  readonly status: number;
  readonly detail: string;
}

const MALFORMED: Refusal = {
  code: 'VALIDATION_FAILED',
  status: PROBLEMS.VALIDATION_FAILED.status,
  detail: 'The request is not valid HTTP.',
};

const TUNNEL: Refusal = {
  code: 'METHOD_NOT_ALLOWED',
  status: PROBLEMS.METHOD_NOT_ALLOWED.status,
  detail: 'This server is not a proxy.',
};

/**
 * Problem codes by the error codes of Node's parser, with the statuses that HTTP defines for each case (RFC 6585 §5,
 * RFC 9110 §15.5.9).
 */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'PAYLOAD_TOO_LARGE',
    status: 431,
    detail: 'The header fields of a request are limited to 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'REQUEST_TIMEOUT',
    status: 408,
    detail: 'The header fields of the request did not arrive in time.',
  },
};
