import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { gzipped } from '../../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** More than the system keeps of what the server has not read, also when it is compressed. */
const REST_BYTES = 24 * 1024 * 1024;

it.each(['identity', 'gzip'])(
  'a client that sends a whole large upload before it reads the response gets the refusal of a faulty record: %s',
  async (encoding) => {
    const analyst = await Analyst.at(server);
    const project = await analyst.project();
    const text = `{\n${randomBytes(REST_BYTES).toString('base64')}`;
    const upload = request(`${server.url}/projects/${project}/inventory`, {
      method: 'PUT',
      headers: {
        ...analyst.headers,
        'content-type': 'application/x-ndjson',
        'content-encoding': encoding,
      },
    });
    const answered = once(upload, 'response');
    upload.end(encoding === 'gzip' ? gzipped(text) : text);
    await once(upload, 'finish');
    const [response] = await answered;
    expect(await json(response)).toMatchObject({ status: 400, errors: [{ path: 'line 1' }] });
  },
);
