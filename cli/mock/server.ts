import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { type AnyMock, type MockServiceOptions, mockOf } from '@cspm/sdk/testing';
import { documentInput } from './input.ts';

export interface MockOptions extends MockServiceOptions {
  /** An OpenAPI document of the service, of any version. */
  readonly document: object;
  readonly host: string;
  readonly port: number;
}

export interface Mock {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the operations of the document with example data and enforces their policies. */
export async function startMock(options: MockOptions): Promise<Mock> {
  const { document } = options;
  const mock = mockOf(document, documentInput(document), options);
  const server: Server = createServer((req, res) => {
    serve(mock, req, res).catch(() => res.destroy());
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(mock: AnyMock, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const response = await mock.handle(requestOf(req), req.socket.remoteAddress ?? '');
  // Before the answer is sent, so that the connection can be used again.
  req.resume();
  const { status, headers, body } = response;
  res.writeHead(status, [...headers].flat());
  if (body === null) res.end();
  else await pipeline(Readable.fromWeb(body as ReadableStream), res);
}

function requestOf(req: IncomingMessage): Request {
  const { method = 'GET', url = '/', rawHeaders } = req;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? { body: Readable.toWeb(req) as BodyInit, duplex: 'half' as const } : {};
  return new Request(new URL(url, 'http://mock'), { method, headers, ...body });
}
