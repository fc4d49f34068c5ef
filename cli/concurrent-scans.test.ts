import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../tests/kit/analyst.ts';
import { cluster, ndjson } from '../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { commandLine } from './testing/command-line.ts';

const VIOLATING = [cluster('a', { legacyAbac: true })];
const COMPLIANT = [cluster('a')];

describe('cspm scan beside another scan of the project', () => {
  const cspm = commandLine();
  let server: TestServer;
  let analyst: Analyst;
  let folder: string;
  let url: string;
  let key: string;
  /** Runs before the command launches its scan. */
  let beforeLaunch: () => Promise<void> = async () => {};
  /** Runs before the command gets its first findings. */
  let beforeReport: () => Promise<void> = async () => {};
  let close = () => {};

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    const user = await server.people.user();
    key = user.key['x-api-key'];
    analyst = new Analyst(server, user.key, user.tenant.id);
    folder = await mkdtemp(join(tmpdir(), 'cspm-beside-'));
    const between = createServer(forward).listen(0, '127.0.0.1');
    await once(between, 'listening');
    close = () => {
      between.closeAllConnections();
      between.close();
    };
    url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    close();
    await rm(folder, { recursive: true });
    await server.close();
  });

  const forward: RequestListener = async (request, response) => {
    const { method = 'GET', url: path = '/' } = request;
    if (path === '/scans' && method === 'POST') {
      const before = beforeLaunch;
      beforeLaunch = async () => {};
      await before();
    }
    if (path.startsWith('/findings')) {
      const before = beforeReport;
      beforeReport = async () => {};
      await before();
    }
    const body = await text(request);
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
        /^(host|connection|content-length|transfer-encoding|expect)$/.test(name)
          ? []
          : values.map((value): [string, string] => [name, value]),
      ),
      ...(body !== '' && { body }),
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type, 'x-correlation-id': 'one' });
    response.end(await answer.text());
  };

  /** Scans one inventory; before the report, another job scans the other inventory. */
  async function scanned(
    project: string,
    inventory: typeof VIOLATING,
    other: typeof VIOLATING,
    format: string,
  ) {
    const file = join(folder, 'inventory.ndjson');
    await writeFile(file, ndjson(inventory));
    beforeReport = async () => {
      await analyst.upload(project, other);
      await analyst.scan(project, 'gke');
    };
    const args = ['scan', '--project', project, '--profile', 'gke', '--inventory', file];
    const environment = { CSPM_URL: url, CSPM_API_KEY: key };
    const { code, output } = await cspm([...args, '--format', format], { environment });
    return { code, isListed: output.includes('gke-legacy-abac') };
  }

  it.each(['table', 'sarif'])(
    'cspm scan --format %s reports what its scan found, although another scan has resolved it since',
    async (format) => {
      const project = await analyst.project(COMPLIANT);
      expect(await scanned(project, VIOLATING, COMPLIANT, format)).toEqual({
        code: 1,
        isListed: true,
      });
    },
  );

  it.each(['table', 'sarif'])(
    'cspm scan --format %s does not report what its scan resolved, although another scan has reopened it since',
    async (format) => {
      const project = await analyst.project(VIOLATING);
      await analyst.scan(project, 'gke');
      expect(await scanned(project, COMPLIANT, VIOLATING, format)).toEqual({
        code: 0,
        isListed: false,
      });
    },
  );

  it('cspm scan --inventory exits with 3 and reports nothing when another upload came before its scan', async () => {
    const project = await analyst.project(COMPLIANT);
    const file = join(folder, 'mine.ndjson');
    await writeFile(file, ndjson(VIOLATING));
    beforeLaunch = () => analyst.upload(project, COMPLIANT);
    const args = ['scan', '--project', project, '--profile', 'gke', '--inventory', file];
    const environment = { CSPM_URL: url, CSPM_API_KEY: key };
    const { code, output, messages } = await cspm(args, { environment });
    expect({ code, output }).toEqual({ code: 3, output: '' });
    expect(messages).toContain(
      `Another upload replaced the inventory of ${project} before the scan started, so the scan did not evaluate ${file}.`,
    );
  });

  it.each([
    ['sarif', false],
    ['csv', true],
  ])('cspm scan --format %s contains a muted finding: %s', async (format, isListed) => {
    const project = await analyst.project(VIOLATING);
    await analyst.scan(project, 'gke');
    const reason = 'Accepted until the cluster is replaced';
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const selector = { ruleId: 'gke-legacy-abac', project };
    await analyst.ask(201, '/mutes', { method: 'POST', body: { selector, reason, expiresAt } });
    expect(await scanned(project, VIOLATING, VIOLATING, format)).toEqual({ code: 0, isListed });
  });
});
