import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { cluster } from '../../tests/kit/export-records.ts';
import { rowsOf } from '../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../tests/kit/people.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

let server: TestServer;
const lines: string[] = [];
let user: TestUser;
let events: string;

beforeAll(async () => {
  server = await startTestServer({ log: { write: (line: string) => void lines.push(line) } });
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
  const analyst = new Analyst(server, user.key, user.tenant.id);
  events = `/scans/${await analyst.launch(await analyst.project([cluster('a')]), 'gke')}/events`;
});

function head(line: string, ...headers: string[]): string {
  const key = `X-API-Key: ${user.key['x-api-key']}`;
  const all = [`${line} HTTP/1.1`, 'Host: test', key, `X-Forwarded-For: ${freshAddress()}`];
  return `${[...all, ...headers].join('\r\n')}\r\n\r\n`;
}

/** Sends requests at once: the response of the first is a stream that stays open, and the others wait behind it. */
function behindEvents(...requests: string[]): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write([head(`GET ${events}`), ...requests].join(''));
  return socket;
}

describe('a response that waits behind another one on its connection', () => {
  it('a stream that waits gives its place up when the connection closes', async () => {
    const { openStreams } = server.services;
    const open = () => openStreams.open('events') + openStreams.open('export');
    const socket = behindEvents(head(`GET ${events}`), head('GET /findings/export'));
    await until('three streams are open', async () => open() === 3);
    socket.destroy();
    await until('no stream is open', async () => open() === 0);
  });

  it('a request that waits is logged as aborted when the connection closes', async () => {
    const body = '{"name":"behind"}';
    const json = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const socket = behindEvents(`${head('POST /projects', ...json)}${body}`);
    const made = async () =>
      rowsOf(server.database, user.tenant.id, "SELECT 1 FROM projects WHERE name = 'behind'");
    await until('the project is there', async () => (await made()).length === 1);
    socket.destroy();
    await until('both requests are logged', async () => {
      const logged = lines
        .map((line) => JSON.parse(line))
        .filter(({ msg, tenant }) => msg === 'request' && tenant === user.tenant.id)
        .filter(({ aborted }) => aborted === true)
        .map(({ method }) => method);
      return logged.includes('GET') && logged.includes('POST');
    });
  });
});
