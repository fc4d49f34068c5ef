import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newApiKey } from '../identity/api-key.ts';
import { Analyst } from '../testing/analyst.ts';
import { cloneDatabase, type TestDatabase } from '../testing/database.ts';
import { manyClusters, ndjson } from '../testing/export-records.ts';
import { onDatabase, serverProcesses } from '../testing/server-process.ts';
import { type Call, send } from '../testing/test-server.ts';

const MIB = 1024 * 1024;
/** The kernel's own account of a process, where there is one. */
const measured = existsSync('/proc/self/status');

function peakOf(pid: number): number {
  const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

const start = serverProcesses();
let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

describe.skipIf(!measured)('the memory of a server', () => {
  it('stays bounded while forty-five megabytes come in', async () => {
    const { key } = newApiKey();
    const server = start({
      ...onDatabase(database),
      BOOTSTRAP_EMAIL: 'first@example.com',
      BOOTSTRAP_API_KEY: key,
      APP_SECRET: 'a secret of thirty-two bytes or more',
    });
    const url = await server.url();
    const call = (path: string, request?: Call) => send(url + path, request);
    const analyst = new Analyst({ call }, { 'x-api-key': key }, '');
    const project = await analyst.project();
    // Twice what is held in memory, and more.
    const reply = await analyst.send(project, ndjson(manyClusters(3_000, 15_000)));
    expect(reply.json).toMatchObject({ assets: 3_000 });
    // Generous: what it really takes is for the bench to measure.
    expect(peakOf(server.pid)).toBeLessThan(450 * MIB);
  }, 60_000);
});
