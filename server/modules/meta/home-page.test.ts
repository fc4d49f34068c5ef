import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

const BROWSERS = {
  Chrome: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  Firefox: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  lynx: 'text/html, text/plain, text/sgml, */*;q=0.01',
};

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const get = (path: string, accept?: string) =>
  server.call(path, { headers: accept === undefined ? {} : { accept } });

describe('GET /', () => {
  it.each(Object.entries(BROWSERS))(
    'GET / redirects %s to the console',
    async (_browser, accept) => {
      for (const path of ['/', '/api/v1', '/api/v1/']) {
        const reply = await get(path, accept);
        expect(reply.status).toBe(303);
        expect(reply.headers.get('location')).toBe('/console/');
        expect(reply.headers.get('vary')).toContain('Accept');
      }
    },
  );

  it.each([
    undefined,
    '*/*',
    'application/json',
    'application/json, text/html;q=0.5',
    'text/html;q=0',
    'image/png',
  ])(
    'GET / answers 404 as a problem document to a client that sends Accept: %s',
    async (accept) => {
      const reply = await get('/', accept);
      expect(reply.status).toBe(404);
      expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(reply.json.code).toBe('NOT_FOUND');
    },
  );
});
