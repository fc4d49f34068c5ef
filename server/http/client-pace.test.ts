import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { contract, type Routes } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { handlers } from '../handlers.ts';
import type { Handlers } from '../platform/handler.ts';
import { newId } from '../platform/ids.ts';
import { ProblemError } from '../platform/problem.ts';
import type { Services } from '../services.ts';
import { RouteTable } from './match.ts';

/** Short, to keep the tests fast. The tests wait for the connection to close, never for a time. */
const PACE = {
  headersMs: 400,
  idleMs: 400,
  bodyMs: 400,
  uploadWindowMs: 1_000,
  uploadWindowBytes: 1024,
  answerMs: 2_000,
  pieceMs: 60_000,
  unwantedMs: 400,
};

const PIECES = 100;
const PIECE = 'x'.repeat(256 * 1024);
let piecesMade = 0;
let streamsEnded = 0;

/** Responses larger than the socket buffers of a machine. */
const large: Handlers<Services>['findings']['export'] = async () => ({
  status: 200,
  stream: (async function* () {
    try {
      for (let piece = 0; piece < PIECES; piece += 1) {
        piecesMade += 1;
        yield PIECE;
      }
    } finally {
      streamsEnded += 1;
    }
  })(),
  headers: { 'Content-Type': 'text/csv; charset=utf-8' },
});

let connectionsClosed = 0;

const countClosed = ({ socket }: IncomingMessage) => {
  socket.once('close', () => {
    connectionsClosed += 1;
  });
};

const whole: Handlers<Services>['meta']['docs'] = async ({ upload }) => {
  countClosed(upload);
  return { status: 200, body: PIECE.repeat(PIECES) };
};

const refused: Handlers<Services>['profiles']['list'] = async ({ upload }) => {
  countClosed(upload);
  throw new ProblemError('NOT_FOUND', PIECE.repeat(PIECES));
};

const routes: Record<string, Routes> = contract;

let server: TestServer;
let user: TestUser;
const open = new Set<Client>();

beforeAll(async () => {
  server = await startTestServer({
    pace: PACE,
    routes: new RouteTable(routes),
    handlers: {
      ...handlers,
      findings: { ...handlers.findings, export: large },
      meta: { ...handlers.meta, docs: whole },
      profiles: { ...handlers.profiles, list: refused },
    },
  });
  user = await server.people.user();
});

afterAll(async () => {
  for (const client of open) client.socket.destroy();
  await server.close();
});

/** A connection that sends and reads only on request. */
class Client {
  readonly socket: Socket;
  text = '';
  closed = false;

  constructor() {
    const { hostname, port } = new URL(server.url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('error', () => undefined);
    this.socket.once('close', () => {
      this.closed = true;
    });
    open.add(this);
  }

  read(): this {
    this.socket.on('data', (piece) => {
      this.text += piece.toString('latin1');
    });
    return this;
  }

  /** Sends one byte after another until the connection closes. */
  async trickle(byte = ' ', everyMs = 20): Promise<void> {
    while (!this.closed) {
      this.socket.write(byte);
      await delay(everyMs);
    }
  }

  hasEnded(): Promise<unknown> {
    return until('the connection has ended', async () => this.closed);
  }
}

function head(line: string, ...headers: string[]): string {
  return `${[line, 'Host: test', `X-API-Key: ${user.key['x-api-key']}`, ...headers].join('\r\n')}\r\n\r\n`;
}

const JSON_BODY = ['Content-Type: application/json', 'Content-Length: 1000000'];

describe('a connection', () => {
  it('a connection is closed when it sends nothing', async () => {
    const client = new Client().read();
    await client.hasEnded();
  });

  it('a connection whose header fields trickle in is closed with 408', async () => {
    const client = new Client().read();
    client.socket.write('GET /auth/me HTTP/1.1\r\nX-A: ');
    await client.trickle('a');
    expect(client.text).toMatch(/^HTTP\/1\.1 408 .*REQUEST_TIMEOUT/s);
    expect(client.text).toMatch(/x-correlation-id: /i);
  });

  it('a connection is closed when it stays idle after a response', async () => {
    const client = new Client().read();
    client.socket.write(head('GET /auth/me HTTP/1.1'));
    await client.hasEnded();
    expect(client.text).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a JSON body', () => {
  it('a JSON body that trickles in is refused with 408, however steadily', async () => {
    const client = new Client().read();
    client.socket.write(head('POST /projects HTTP/1.1', ...JSON_BODY));
    await client.trickle();
    expect(client.text).toMatch(/^HTTP\/1\.1 408 .*REQUEST_TIMEOUT/s);
  });

  it('a JSON body that stops half way is refused with 408', async () => {
    const client = new Client().read();
    client.socket.write(`${head('POST /projects HTTP/1.1', ...JSON_BODY)}{"name":`);
    await client.hasEnded();
    expect(client.text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('a JSON body that was refused early cannot keep its connection open by sending slowly', async () => {
    const client = new Client().read();
    const type = 'Content-Type: text/plain';
    client.socket.write(head('POST /projects HTTP/1.1', type, 'Content-Length: 1000000'));
    await client.trickle();
    expect(client.text).toMatch(/^HTTP\/1\.1 415 /);
  });

  it('a body that no operation reads cannot keep its connection open by sending slowly', async () => {
    const client = new Client().read();
    client.socket.write(head('GET /auth/me HTTP/1.1', 'Content-Length: 1000000'));
    await client.trickle();
    expect(client.text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a form body that trickles in is refused with 408', async () => {
    const client = new Client().read();
    const type = 'Content-Type: application/x-www-form-urlencoded';
    client.socket.write(head('POST /auth/saml/acs HTTP/1.1', type, 'Content-Length: 1000'));
    await client.trickle('a');
    expect(client.text).toMatch(/^HTTP\/1\.1 408 /);
  });
});

const RECORD = (size: number) =>
  `${JSON.stringify({
    name: `//storage.googleapis.com/${newId()}`,
    asset_type: 'storage.googleapis.com/Bucket',
    resource: { data: { name: 'x'.repeat(size) } },
  })}\n`;

describe('an upload', () => {
  const NDJSON = ['Content-Type: application/x-ndjson', 'Transfer-Encoding: chunked'];
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

  async function uploadTo(name: string): Promise<Client> {
    await server.call('/projects', { method: 'POST', headers: user.key, body: { name } });
    const client = new Client().read();
    client.socket.write(head(`PUT /projects/${name}/inventory HTTP/1.1`, ...NDJSON));
    return client;
  }

  it('an upload that trickles in is refused with 408 and leaves nothing behind', async () => {
    const client = await uploadTo('trickle');
    await client.trickle(chunk('#'));
    expect(client.text).toMatch(/^HTTP\/1\.1 408 .*REQUEST_TIMEOUT/s);
    await until('the half upload is gone', async () => {
      const { rows } = await server.database.owner.query(
        "SELECT 1 FROM inventories WHERE status = 'receiving'",
      );
      return rows.length === 0;
    });
  });

  it.each([
    ['plain', 100_000, []],
    ['plain, of more than 4 MiB', 5_000_000, []],
    ['gzip', 100_000, ['Content-Encoding: gzip']],
  ])(
    'an upload that stops is refused with 408 and gives up its slot and its process: %s',
    async (_, size, headers) => {
      const { slots, packing } = server.services.inventories;
      const name = `stops${size}${headers.length}`;
      await server.call('/projects', { method: 'POST', headers: user.key, body: { name } });
      const client = new Client().read();
      client.socket.write(head(`PUT /projects/${name}/inventory HTTP/1.1`, ...NDJSON, ...headers));
      const sent = Buffer.alloc(size, '#\n');
      const bytes = headers.length === 0 ? sent : gzipSync(sent).subarray(0, -9);
      client.socket.write(`${bytes.length.toString(16)}\r\n`);
      client.socket.write(bytes);
      client.socket.write('\r\n');
      await until('the upload has begun', async () => slots.active === 1);
      await client.hasEnded();
      expect(client.text).toMatch(/^HTTP\/1\.1 408 /);
      await until('its slot is free', async () => slots.active === 0);
      expect(packing.pids).toEqual([]);
    },
  );

  it('an upload whose client leaves at once gives up its slot, also with gzip', async () => {
    const { slots } = server.services.inventories;
    await server.call('/projects', { method: 'POST', headers: user.key, body: { name: 'left' } });
    for (let count = 0; count < 20; count += 1) {
      const client = new Client().read();
      client.socket.write(
        head('PUT /projects/left/inventory HTTP/1.1', ...NDJSON, 'Content-Encoding: gzip'),
      );
      // Between the header fields and the authentication, sooner or later.
      await delay(count / 4);
      client.socket.destroy();
    }
    await until('no slot is taken', async () => slots.active === 0);
  });

  it('an upload whose body has arrived is not refused as late while it waits for a slot', async () => {
    const { slots } = server.services.inventories;
    const leave = [await slots.enter(user.tenant.id), await slots.enter(user.tenant.id)];
    const waiting = await uploadTo('waiting');
    waiting.socket.write('0\r\n\r\n');
    const late = await uploadTo('late');
    await until('a later upload without a body is refused', async () => late.text !== '');
    expect(late.text).toMatch(/^HTTP\/1\.1 408 /);
    expect(waiting.text).toBe('');
    for (const each of leave) each();
    await until('the upload is answered', async () => waiting.text !== '');
    expect(waiting.text).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('a slow but steady upload is accepted, although a JSON body would have timed out', async () => {
    const client = await uploadTo('steady');
    const endsAt = performance.now() + 2.5 * PACE.uploadWindowMs;
    while (performance.now() < endsAt) {
      client.socket.write(chunk(RECORD(2_000)));
      await delay(20);
    }
    client.socket.write('0\r\n\r\n');
    await until('the upload is answered', async () => client.text !== '');
    expect(client.text).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe('an answer', () => {
  it('a streamed response ends and releases its source when its reader takes nothing', async () => {
    const [made, ended] = [piecesMade, streamsEnded];
    const client = new Client();
    client.socket.pause();
    client.socket.write(head('GET /findings/export?format=csv HTTP/1.1'));
    await until('the source is let go of', async () => streamsEnded > ended);
    expect(piecesMade - made).toBeLessThan(PIECES);
    client.socket.resume();
    await client.hasEnded();
  });

  it.each([
    ['complete response', '/docs'],
    ['problem', '/profiles'],
  ])('a %s whose reader takes nothing has its connection closed', async (_, path) => {
    const closed = connectionsClosed;
    const client = new Client();
    client.socket.pause();
    client.socket.write(head(`GET ${path} HTTP/1.1`));
    await until('the server has closed the connection', async () => connectionsClosed > closed);
  });

  it.each([
    ['streamed', '/findings/export?format=csv'],
    ['complete', '/docs'],
  ])(
    'a slow reader receives the whole %s response, although a reader that takes nothing would be cut off',
    async (_, path) => {
      const client = new Client();
      client.socket.write(head(`GET ${path} HTTP/1.1`, 'Connection: close'));
      const startedAt = performance.now();
      let bytes = 0;
      client.socket.on('data', (piece) => {
        bytes += piece.length;
        client.socket.pause();
        setTimeout(() => client.socket.resume(), 10);
      });
      await once(client.socket, 'close');
      expect(bytes).toBeGreaterThan(PIECES * PIECE.length);
      expect(performance.now() - startedAt).toBeGreaterThan(PACE.answerMs);
    },
  );
});
