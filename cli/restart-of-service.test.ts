import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bucket, ndjson } from '../tests/kit/export-records.ts';
import { commandLine } from './testing/command-line.ts';

const PROJECT = { name: 'shop', inventory: null };
const INVENTORY = { id: 'an-inventory', assets: 1, assetTypes: [], warnings: [] };
const NONE = { open: 0, resolved: 0, muted: 0 };
const SUMMARY = {
  bySeverity: { critical: NONE, high: { ...NONE, open: 1 }, medium: NONE, low: NONE, info: NONE },
};
const SCAN = {
  id: 'a-scan',
  status: 'completed',
  totals: { assets: 1, evaluations: 1, pass: 0, fail: 1, unknown: 0 },
  delta: { new: 1, reopened: 0, resolved: 0 },
  projects: [],
};

/** What a service answers to `cspm scan --create --inventory --format csv`, by the request. */
const ANSWERS: Readonly<Record<string, object | string>> = {
  'POST /projects': PROJECT,
  'GET /projects/shop': PROJECT,
  'PUT /projects/shop/inventory': INVENTORY,
  'POST /scans': { id: 'a-scan' },
  'GET /scans/a-scan': SCAN,
  'GET /findings/summary': SUMMARY,
  'GET /findings/export': 'ruleId\r\n',
};

describe('cspm scan and a restart of the service', () => {
  const cspm = commandLine();
  let folder: string;
  let server: Server;
  let url: string;
  /** The request that finds the service down, for as many attempts as an impatient client makes. */
  let down: string;
  let refused: number;

  const listener: RequestListener = async (request, response) => {
    const path = `${request.method} ${request.url?.split('?')[0]}`;
    if (path === down && refused < 3) {
      refused += 1;
      request.socket.destroy();
      return;
    }
    for await (const _piece of request);
    const answer = ANSWERS[path];
    const isText = typeof answer === 'string';
    response.writeHead(answer === undefined ? 404 : 200, {
      'content-type': isText ? 'text/csv' : 'application/json',
      'x-correlation-id': 'one',
    });
    response.end(isText ? answer : JSON.stringify(answer ?? { code: 'NOT_FOUND' }));
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cspm-restart-'));
    await writeFile(join(folder, 'inventory.ndjson'), ndjson([bucket('a')]));
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    refused = 0;
  });

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  const scan = () =>
    cspm(
      [
        ...['scan', '--project', 'shop', '--create', '--format', 'csv', '--url', url],
        ...['--inventory', join(folder, 'inventory.ndjson')],
      ],
      { environment: { CSPM_API_KEY: 'cspm_key' } },
    );

  it.each(Object.keys(ANSWERS).slice(1))(
    'cspm scan continues if the service is away for some attempts at %s',
    async (request) => {
      down = request;
      const { code, output, messages } = await scan();
      expect({ code, refused, messages }).toMatchObject({ code: 1, refused: 3 });
      expect(output).toBe('ruleId\r\n');
    },
  );

  it('cspm scan ends soon if the service does not answer at all', async () => {
    down = 'POST /projects';
    const { code, messages } = await scan();
    expect({ code, refused }).toEqual({ code: 4, refused: 3 });
    expect(messages).toContain(`Cannot reach ${url}`);
  });
});
