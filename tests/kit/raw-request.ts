import { once } from 'node:events';
import { connect } from 'node:net';
import { freshAddress } from './test-server.ts';

/** A response as it was received. */
export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses member by member, in any shape
  readonly json: any;
}

/** The raw lines of a request, for requests that an HTTP client cannot send. */
export interface RawRequest {
  /** `GET /scans HTTP/1.1` */
  readonly line: string;
  /** False: without Host. */
  readonly host?: false;
  /** In order, including repetitions. Host, X-Forwarded-For and Connection are added. */
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
}

/** Sends bytes to a server and reads until the connection closes. */
export async function rawRequest(url: string, request: RawRequest): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const pieces: Uint8Array[] = [];
  socket.on('data', (piece) => pieces.push(piece));
  await once(socket, 'connect');
  const head = [
    request.line,
    ...(request.host === false ? [] : ['Host: test']),
    `X-Forwarded-For: ${freshAddress()}`,
    'Connection: close',
    ...(request.headers ?? []),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  if (request.body !== undefined) socket.write(request.body);
  await once(socket, 'close');
  return parse(Buffer.concat(pieces));
}

function parse(bytes: Buffer): RawReply {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const rest = bytes.subarray(end + 4);
  const text =
    headers.get('transfer-encoding') === 'chunked' ? unchunked(rest) : rest.toString('utf8');
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '') && text !== '';
  return {
    status: Number(first.split(' ')[1]),
    headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

function unchunked(bytes: Buffer): string {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts).toString('utf8');
}
