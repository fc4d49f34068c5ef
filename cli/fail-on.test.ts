import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cluster, ndjson } from '../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { commandLine } from './testing/command-line.ts';

describe('cspm scan --fail-on', () => {
  const cspm = commandLine();
  let server: TestServer;
  let environment: Record<string, string>;
  let folder: string;
  let inventory: string;

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    const user = await server.people.user();
    environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
    folder = await mkdtemp(join(tmpdir(), 'cspm-fail-on-'));
    inventory = join(folder, 'inventory.ndjson');
    await writeFile(inventory, ndjson([cluster('a', { legacyAbac: true })]));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
    await server.close();
  });

  it.each(['table', 'csv', 'sarif'])(
    'cspm scan --format %s exits with 1 for findings at or above --fail-on, and with 0 for others',
    async (format) => {
      const args = ['scan', '--project', 'shop', '--profile', 'gke', '--format', format];
      const codes: Record<string, number> = {};
      for (const threshold of ['critical', 'high']) {
        const more = ['--create', '--inventory', inventory, '--fail-on', threshold];
        codes[threshold] = (await cspm([...args, ...more], { environment })).code;
      }
      expect(codes).toEqual({ critical: 0, high: 1 });
    },
  );
});
