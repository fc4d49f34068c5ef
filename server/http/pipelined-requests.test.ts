import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { cluster } from '../../tests/kit/export-records.ts';
import { rowsOf } from '../../tests/kit/owner-queries.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { MAX_WAITING_REQUESTS, oneAtATime } from './pipelined-requests.ts';

/** Writes a text at once, and collects what is received. */
function send(url: string, text: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const client = { socket, received: '', closed: false };
  socket.on('error', () => undefined);
  socket.on('data', (piece) => {
    client.received += piece.toString('latin1');
  });
  socket.once('close', () => {
    client.closed = true;
  });
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return client;
}

const get = (path: string | number) => `GET /${path} HTTP/1.1\r\nHost: test\r\n\r\n`;
const requests = (count: number) => Array.from({ length: count }, (_, at) => get(at)).join('');

/** @returns the address of a server that serves requests one at a time. */
async function serving(serve: (req: IncomingMessage, res: ServerResponse) => void) {
  const server = createServer(oneAtATime(serve));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('requests that one connection sends at once', () => {
  it('requests that one connection sends at once are served one after the other, each in another turn of the event loop', async () => {
    let turn = 0;
    let isCounting = true;
    const count = () => {
      turn += 1;
      if (isCounting) setImmediate(count);
    };
    count();
    const served: { url: string | undefined; turn: number }[] = [];
    let running = 0;
    let mostRunning = 0;
    const url = await serving((req, res) => {
      served.push({ url: req.url, turn });
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      setImmediate(() => {
        running -= 1;
        res.end(`<${req.url}>`);
      });
    });
    const all = MAX_WAITING_REQUESTS + 1;
    const client = send(url, requests(all));
    await until('the last response', async () => client.received.includes(`</${all - 1}>`));
    isCounting = false;
    const paths = Array.from({ length: all }, (_, at) => `/${at}`);
    expect(served.map((one) => one.url)).toEqual(paths);
    expect(client.received.match(/<.*?>/g)).toEqual(paths.map((path) => `<${path}>`));
    expect(new Set(served.map((one) => one.turn)).size).toBe(all);
    expect(mostRunning).toBe(1);
  });

  it('requests that one connection sends at once beyond the limit close it, and none that waits is served', async () => {
    const served: (string | undefined)[] = [];
    const url = await serving(({ url }) => void served.push(url));
    const client = send(url, requests(MAX_WAITING_REQUESTS + 2));
    await until('the connection is closed', async () => client.closed);
    expect(served).toEqual(['/0']);
  });

  it('a connection may send any number of requests as long as few of them wait', async () => {
    const url = await serving((req, res) => void res.end(`<${req.url}>`));
    const client = send(url, '');
    for (let round = 0; round < 5; round += 1) {
      client.received = '';
      client.socket.write(requests(MAX_WAITING_REQUESTS));
      const last = `</${MAX_WAITING_REQUESTS - 1}>`;
      await until('the responses of the round', async () => client.received.includes(last));
    }
    expect(client.closed).toBe(false);
  });
});

describe('a request behind a stream of events', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  it('a request behind a stream of events is not begun, and is dropped when the connection closes', async () => {
    const user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const scan = await analyst.launch(await analyst.project([cluster('a')]), 'gke');
    const head = (line: string, ...headers: string[]) => {
      const key = `X-API-Key: ${user.key['x-api-key']}`;
      const all = [`${line} HTTP/1.1`, 'Host: test', key, `X-Forwarded-For: ${freshAddress()}`];
      return `${[...all, ...headers].join('\r\n')}\r\n\r\n`;
    };
    const body = '{"name":"behind"}';
    const json = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const events = head(`GET /scans/${scan}/events`);
    const { openStreams } = server.services;
    const { socket } = send(
      server.url,
      `${events}${events}${head('POST /projects', ...json)}${body}`,
    );
    await until('a stream is open', async () => openStreams.open('events') > 0);
    // Requests of other connections are served meanwhile.
    expect((await server.call('/auth/me', { headers: user.key })).status).toBe(200);
    expect(openStreams.open('events')).toBe(1);
    socket.destroy();
    await until('no stream is open', async () => openStreams.open('events') === 0);
    const made = await rowsOf(
      server.database,
      user.tenant.id,
      "SELECT 1 FROM projects WHERE name = 'behind'",
    );
    expect(made).toEqual([]);
  });
});
