import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { manyClusters, ndjson } from '../../../tests/kit/export-records.ts';
import { MEMORY_IS_MEASURED, MemoryWatch } from '../../../tests/kit/process-memory.ts';
import { onDatabase, serverProcesses } from '../../../tests/kit/server-process.ts';
import { type Call, send } from '../../../tests/kit/test-server.ts';
import { newApiKey } from '../auth/credentials/api-key.ts';

const MIB = 1024 * 1024;
const start = serverProcesses();
let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

describe.skipIf(!MEMORY_IS_MEASURED)("the server's memory", () => {
  it('the memory of the server and its child processes stays bounded during an upload of 45 MB', async () => {
    const { key } = newApiKey();
    const server = start({
      ...onDatabase(database),
      BOOTSTRAP_EMAIL: 'first@example.com',
      BOOTSTRAP_API_KEY: key,
      APP_SECRET: 'a secret of thirty-two bytes or more',
    });
    const url = await server.url(120_000);
    const call = (path: string, request?: Call) => send(url + path, request);
    const analyst = new Analyst({ call }, { 'x-api-key': key }, '');
    const project = await analyst.project();
    const watch = new MemoryWatch(server.pid);
    // More than twice the memory limit.
    const reply = await analyst.send(project, ndjson(manyClusters(3_000, 15_000)));
    expect(reply.json).toMatchObject({ assets: 3_000 });
    // A generous limit; the benchmark measures the actual use.
    expect(watch.end()).toBeLessThan(450 * MIB);
  }, 300_000);
});
