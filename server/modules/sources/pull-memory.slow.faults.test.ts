import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { manyClusters, ndjson } from '../../../tests/kit/export-records.ts';
import { FakeGoogle } from '../../../tests/kit/google/fake-google.ts';
import { MEMORY_IS_MEASURED, memoryOf } from '../../../tests/kit/process-memory.ts';
import { onDatabase, serverProcesses } from '../../../tests/kit/server-process.ts';
import { type Call, send } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newApiKey } from '../auth/credentials/api-key.ts';

const MIB = 1024 * 1024;
const PARENT = 'projects/shop-prod';
const ASSETS = 100_000;
/**
 * Without a limit, V8 lets garbage grow to four times what was in use at its last full collection, most of all while a
 * process allocates slowly: this process, which uses about 65 MiB, then had 300 MiB or 400 MiB according to the load of the
 * machine, much of it garbage of the requests that ask for the end of the pull. A process that needs more than this ends.
 */
const HEAP_MIB = 160;
const start = serverProcesses();
let database: TestDatabase;
let google: FakeGoogle;

beforeAll(async () => {
  database = await cloneDatabase();
  google = await FakeGoogle.start();
  google.inventory.serve(PARENT, ndjson(manyClusters(ASSETS, 400)).split('\n'));
});

afterAll(async () => {
  await google.close();
  await database.drop();
});

describe.skipIf(!MEMORY_IS_MEASURED)('the memory of a process that serves and pulls', () => {
  it('the memory of a process that serves and pulls stays bounded for 100,000 assets', async () => {
    const { key } = newApiKey();
    const { GOOGLE_ALLOW_LOOPBACK_HTTP: _, ...addresses } = google.environment;
    const server = start({
      ...onDatabase(database),
      ...addresses,
      BOOTSTRAP_EMAIL: 'first@example.com',
      BOOTSTRAP_API_KEY: key,
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
      APP_SECRET: 'a secret of thirty-two bytes or more',
    });
    const url = await server.url(120_000);
    const call = (path: string, request?: Call) => send(url + path, request);
    const person = new Analyst({ call }, { 'x-api-key': key }, '');
    const project = await person.project();
    const credential = { type: 'service_account_key', key: google.viewer(PARENT) };
    const body = { kind: 'google-cloud', parent: PARENT, credential };
    await person.ask(201, `/projects/${project}/source`, { method: 'PUT', body });
    const { id } = await person.ask(202, `/projects/${project}/inventory/pull`, { method: 'POST' });
    const pull = await until(
      'the end of the pull',
      async () => {
        const now = await person.ask(200, `/projects/${project}/inventory/pulls/${id}`);
        return now.finishedAt !== null && now;
      },
      800_000,
    );
    expect(pull).toMatchObject({ status: 'completed', assets: ASSETS, problem: null });
    // The heap, buffers outside of it, and the program itself.
    expect(memoryOf(server.pid).peak).toBeLessThan(400 * MIB);
  }, 900_000);
});
