import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { walk as heyApi } from './uses/hey-api.ts';
import { walk as openapiFetch } from './uses/openapi-fetch.ts';
import { walk as orval } from './uses/orval.ts';
import { walk as swaggerTypescriptApi } from './uses/swagger-typescript-api.ts';

let server: TestServer;
let records: { name: string }[];

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  const sample = new URL('../../samples/shop-prod.ndjson', import.meta.url);
  const lines = (await readFile(sample, 'utf8')).split('\n').filter((line) => line.startsWith('{'));
  records = lines
    .map((line) => JSON.parse(line))
    .filter(({ asset_type: type }) => type === 'storage.googleapis.com/Bucket');
});

afterAll(() => server?.close());

test.each(Object.entries({ openapiFetch, heyApi, orval, swaggerTypescriptApi }))(
  'the client of %s uploads, scans, filters and is refused as its types say',
  async (name, walk) => {
    const user = await server.people.user();
    const { 'x-api-key': apiKey } = user.key as { 'x-api-key': string };
    const project = `by-${name.toLowerCase()}`;
    const result = await walk({ baseUrl: server.url, apiKey, project, records });
    expect(result).toMatchObject({
      tenant: user.tenant.id,
      status: 'completed',
      refusal: 'NOT_FOUND',
    });
    expect(result.assets).toBeGreaterThan(2);
    expect(result.findings).toContainEqual({ rule: 'bucket-public', severity: 'high' });
  },
);
