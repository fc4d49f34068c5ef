import { describe, expect, test } from 'vitest';
import { arrange, SCAN_ID, scan } from '../conformance/arrange.ts';
import { problem } from '../conformance/server.ts';
import { NotFoundError } from './errors.ts';

const GET = `GET /scans/${SCAN_ID}`;

describe('the raw response of a call', () => {
  test('the raw response of a call has its status, its headers and its body, byte for byte and unread', async () => {
    const { server, cspm } = await arrange();
    const body = ` ${JSON.stringify(scan())}\n`;
    server.on(GET, { body, headers: { 'x-more': 'ä'.normalize('NFD').slice(0, 1) } });
    const call = cspm.scans.get({ id: SCAN_ID });
    const response = await call.asResponse();
    expect([response.status, response.headers.get('x-more'), response.bodyUsed]).toEqual([
      200,
      'a',
      false,
    ]);
    expect(await response.text()).toBe(body);
    expect((await call).id).toBe(SCAN_ID);
    expect(server.requests).toHaveLength(1);
  });

  test('the raw response to an operation without content has no body', async () => {
    const { server, cspm } = await arrange();
    server.on('DELETE /projects/a', { status: 204 });
    const response = await cspm.projects.delete({ name: 'a' }).asResponse();
    expect([response.status, response.body]).toEqual([204, null]);
  });

  test('the raw response of a call is refused with the error of the call', async () => {
    const { server, cspm } = await arrange();
    server.on(GET, problem(404, 'NOT_FOUND'));
    await expect(cspm.scans.get({ id: SCAN_ID }).asResponse()).rejects.toThrow(NotFoundError);
  });
});

describe('a response to client.request that is not JSON', () => {
  const bytes = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0xff, 0x00, 0xfe]);

  test.each([
    ['text/csv; charset=utf-8', new TextEncoder().encode('id,näme\n')],
    ['application/x-ndjson', new TextEncoder().encode('{"id":1}\n{"id":2}\n')],
    ['application/pdf', bytes],
  ])('the data of a %s response is a Blob with its type and its bytes', async (type, piece) => {
    const { server, cspm } = await arrange();
    server.on('GET /later/export', { pieces: [piece], headers: { 'content-type': type } });
    const call = cspm.request('GET /later/export');
    const data = (await call) as Blob;
    expect(data).toBeInstanceOf(Blob);
    expect(data.type.split(';')[0]).toBe(type.split(';')[0]);
    expect(new Uint8Array(await data.arrayBuffer())).toEqual(piece);
    expect(new Uint8Array(await (await call.asResponse()).arrayBuffer())).toEqual(piece);
  });

  test('the data of a response of another JSON type, such as SARIF, is its value', async () => {
    const { server, cspm } = await arrange();
    const headers = { 'content-type': 'application/sarif+json' };
    server.on('POST /later/export', { body: { runs: [] }, headers });
    expect(await cspm.request('POST /later/export')).toEqual({ runs: [] });
  });

  test.each(['Application/JSON', 'application/problem+json; charset=utf-8', 'text/json ;q=1'])(
    'the data of a %s response is its value, in whichever case the type is written',
    async (type) => {
      const { server, cspm } = await arrange();
      server.on('GET /later', { body: { id: 1 }, headers: { 'content-type': type } });
      expect(await cspm.request('GET /later')).toEqual({ id: 1 });
    },
  );

  test.each(['application/jsonl', 'application/json-seq'])(
    'the data of a %s response is a Blob, because several values are no JSON',
    async (type) => {
      const { server, cspm } = await arrange();
      const lines = '{"id":1}\n{"id":2}\n';
      server.on('GET /later', { body: lines, headers: { 'content-type': type } });
      const data = (await cspm.request('GET /later')) as Blob;
      expect(await data.text()).toBe(lines);
    },
  );

  test.each([204, 205])(
    'a response without content (%i) has no data, and its raw response no body',
    async (status) => {
      const { server, cspm } = await arrange();
      server.on('DELETE /later/1', { status });
      const call = cspm.request('DELETE /later/1');
      const response = await call.asResponse();
      expect([await call, response.status, response.body]).toEqual([undefined, status, null]);
    },
  );

  test.each(['later', '@localhost/later', '.localhost/later', '//localhost/later'])(
    'a path without a slash before it (%s) is one of the service, and its credential reaches no other host',
    async (path) => {
      const hosts: string[] = [];
      const { server, client } = await arrange();
      const cspm = client({
        apiKey: 'k',
        fetch: async (url) => {
          hosts.push(new URL(String(url)).host);
          return Response.json({});
        },
      });
      // Does not compile as a literal, but a program may get the path from elsewhere.
      await cspm.request(`GET ${path}` as 'GET /');
      expect(hosts).toEqual([new URL(server.url).host]);
    },
  );

  test('a refusal of a response that is not JSON is an error with the beginning of its text', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /later', {
      status: 404,
      body: 'No such page',
      headers: { 'content-type': 'text/plain' },
    });
    await expect(cspm.request('GET /later')).rejects.toMatchObject({
      code: 'HTTP_404',
      body: 'No such page',
    });
  });
});

describe('a stream as a stream of the web', () => {
  test('a text stream as a ReadableStream has the bytes of its text, as a Response takes them', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /findings/export', { pieces: ['id,näme\n', '1,a\n'], everyMs: 5 });
    const stream = cspm.findings.export({ format: 'csv' }).toReadableStream();
    expect(await new Response(stream).text()).toBe('id,näme\n1,a\n');
  });

  test('a text stream as a ReadableStream closes its connection when it is cancelled', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /findings/export', { pieces: ['id\n'], unfinished: true });
    const reader = cspm.findings.export({ format: 'csv' }).toReadableStream().getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    await server.requests[0]?.over;
  });

  test('a text stream as a ReadableStream fails when the stream fails', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /findings/export', { pieces: ['id\n'], broken: true });
    const stream = cspm.findings.export({ format: 'csv' }).toReadableStream();
    await expect(new Response(stream).text()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  });
});

describe('a list', () => {
  const page = (names: string[], nextCursor: string | null) => ({
    body: { items: names.map((name) => ({ name })), nextCursor },
  });

  test('a list can be read page by page', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /projects', page(['a', 'b'], 'c1'), page(['c'], null));
    const sizes: number[] = [];
    for await (const { items } of cspm.projects.list().pages()) sizes.push(items.length);
    expect(sizes).toEqual([2, 1]);
  });

  test('a list can be collected, in full or up to a limit, and fetches no page that it does not need', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /projects', page(['a', 'b'], 'c1'), page(['c', 'd'], 'c2'), page(['e'], null));
    const three = await cspm.projects.list().toArray({ limit: 3 });
    expect(three.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(server.requests).toHaveLength(2);
    server.on('GET /projects', page(['a', 'b'], 'c1'), page(['c'], null));
    expect(await cspm.projects.list().toArray()).toHaveLength(3);
    server.on('GET /projects', page(['a', 'b'], 'c1'));
    expect(await cspm.projects.list().toArray({ limit: 2 })).toHaveLength(2);
  });
});
