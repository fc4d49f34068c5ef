import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { VIEWER } from '../tests/kit/google/asset-inventory.ts';
import { FakeGoogle } from '../tests/kit/google/fake-google.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { run } from './run.ts';
import { commandLine } from './testing/command-line.ts';

const PARENT = 'projects/shop-prod';
const EMAIL = 'scanner@tools-1.iam.gserviceaccount.com';

describe('cspm sources', () => {
  const cspm = commandLine();
  let google: FakeGoogle;
  let server: TestServer;
  let environment: Record<string, string>;
  let folder: string;
  let keyFile: string;
  let projects = 0;
  let project: string;

  beforeAll(async () => {
    google = await FakeGoogle.start();
    await google.serveFile(PARENT, new URL('../samples/shop-prod.ndjson', import.meta.url));
    server = await startTestServer({ googleCloud: google, worker: true });
    const user = await server.people.user();
    environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
    folder = await mkdtemp(join(tmpdir(), 'cspm-key-'));
    keyFile = join(folder, 'key.json');
    await writeFile(keyFile, JSON.stringify(google.viewer(PARENT, EMAIL)));
  });

  afterAll(async () => {
    await server.close();
    await google.close();
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    projects += 1;
    project = `shop-${projects}`;
    const headers = { 'x-api-key': environment['CSPM_API_KEY'] ?? '' };
    await server.call('/projects', { method: 'POST', headers, body: { name: project } });
  });

  const sources = (action: string, ...args: string[]) =>
    cspm(['sources', action, project, ...args], { environment });
  const set = () => sources('set', '--parent', PARENT, '--key-file', keyFile);

  it('cspm sources sets, shows, checks, pulls, lists and deletes sources', async () => {
    const shown = await set();
    expect(shown).toMatchObject({ code: 0, messages: '' });
    expect(shown.output).toContain(`${EMAIL} (service_account_key)`);
    expect((await sources('show')).output).toBe(shown.output);
    const check = await sources('check');
    expect(check.code).toBe(0);
    expect(check.output).toContain('pass  cloudasset.assets.listIamPolicy');
    const pulled = await sources('pull', '--format', 'json');
    const pull = JSON.parse(pulled.output);
    expect([pulled.code, pull.status]).toEqual([0, 'completed']);
    expect((await sources('pulls')).output).toContain(pull.id);
    expect((await sources('show')).output).toContain(`completed, ${pull.assets} assets`);
    expect(await sources('delete')).toMatchObject({ code: 0, messages: 'Deleted the source.\n' });
    expect((await sources('show')).code).toBe(2);
  });

  it.each(['show', 'check', 'delete'])(
    'cspm sources %s says how to set the source of a project without one, and exits with 2',
    async (action) => {
      expect(await sources(action)).toEqual({
        code: 2,
        output: '',
        messages: `Project ${project} has no source. Set one: cspm sources set ${project} --parent projects/<id> --key-file key.json\n`,
      });
    },
  );

  it('cspm sources set exits with 2 for a malformed parent or service account, and sends nothing', async () => {
    const wrong = [
      ['--parent', 'shop-prod', '--key-file', keyFile],
      ['--parent', PARENT, '--service-account', 'scanner'],
    ];
    for (const args of wrong) {
      const { code, messages } = await sources('set', ...args);
      expect([args, code, messages]).toEqual([args, 2, expect.stringMatching(/\nUse /)]);
    }
    expect((await sources('show')).messages).toContain('has no source');
  });

  it('cspm sources names the existing projects when the project does not exist', async () => {
    const { code, messages } = await cspm(['sources', 'show', 'shpo'], { environment });
    expect([code, messages]).toEqual([
      2,
      expect.stringMatching(/^There is no project "shpo"\.\nProjects: .*\bshop-1\b/),
    ]);
  });

  it('cspm sources exits with 3 and prints the remedy when a permission is missing', async () => {
    await set();
    google.inventory.grant(EMAIL, PARENT, []);
    try {
      for (const action of ['check', 'pull']) {
        const { code, output } = await sources(action);
        expect([action, code, output]).toEqual([
          action,
          3,
          expect.stringContaining('roles/cloudasset.viewer'),
        ]);
      }
    } finally {
      google.viewer(PARENT, EMAIL);
    }
  });

  it('cspm sources pull exits with 3 and names the missing permission when the inventory is partial', async () => {
    await set();
    google.inventory.grant(EMAIL, PARENT, [...VIEWER.slice(0, 1), 'serviceusage.services.use']);
    try {
      const { code, output } = await sources('pull');
      expect([code, output]).toEqual([3, expect.stringMatching(/^status +partial,/m)]);
      expect(output).toContain('cloudasset.assets.listIamPolicy');
    } finally {
      google.viewer(PARENT, EMAIL);
    }
  });

  it('cspm sources pull ends with the interruption while the pull goes on, and says how to see it', async () => {
    const interruption = new AbortController();
    const pull = { id: 'a-pull', status: 'running', pages: 1, records: 2, finishedAt: null };
    const service = createServer(({ method }, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(pull));
      if (method === 'GET') interruption.abort(new Error('Interrupted'));
    }).listen(0, '127.0.0.1');
    try {
      await once(service, 'listening');
      const { port } = service.address() as AddressInfo;
      const said: string[] = [];
      const messages = new Writable({
        write(piece, _encoding, done) {
          said.push(String(piece));
          done();
        },
      });
      const pulling = run(['sources', 'pull', 'shop', '--url', `http://127.0.0.1:${port}`], {
        input: Readable.from([]),
        output: new PassThrough(),
        messages,
        isTerminal: { input: false, output: false, messages: false },
        environment: { CSPM_API_KEY: 'cspm_key' },
        interrupted: interruption.signal,
      });
      await expect(pulling).rejects.toThrow();
      expect(said).toEqual([
        'The service continues the pull a-pull. See it: cspm sources pulls shop\n',
      ]);
    } finally {
      service.closeAllConnections();
      service.close();
    }
  });

  it('cspm schedules sets whether runs pull first, and keeps it in other changes', async () => {
    const schedules = async (...args: string[]) => {
      const { output } = await cspm(['schedules', ...args, '--format', 'json'], { environment });
      return JSON.parse(output);
    };
    await set();
    const options = ['--name', 'Nightly', '--project', project, '--cron', '0 3 * * *'];
    const { id, pullFirst } = await schedules('create', ...options, '--pull-first');
    expect(pullFirst).toBe(true);
    expect(await schedules('update', id, '--cron', '0 4 * * *')).toMatchObject({ pullFirst: true });
    const { output } = await cspm(['schedules', 'show', id], { environment });
    expect(output).toMatch(/pulls +the inventories first/);
    expect(await schedules('update', id, '--no-pull-first')).toMatchObject({ pullFirst: false });
    expect(await schedules('update', id, '--pull-first')).toMatchObject({ pullFirst: true });
  });

  it.each([
    [['fly', 'shop'], 'Unknown action "fly". Use one of: show, set, check, pull, pulls, delete.'],
    [['constructor', 'shop'], 'Unknown action "constructor".'],
    [[''], 'The action is missing. Use one of: show,'],
    [[], 'The action is missing. Use one of: show,'],
    [['show'], 'Missing argument: the project name.'],
    [['set', 'shop'], 'sources set needs --parent, and --key-file or --service-account.'],
    [
      ['set', 'shop', '--parent', PARENT, '--key-file', '/nonexistent'],
      '--key-file: cannot read /nonexistent: there is no such file.',
    ],
    [
      ['set', 'shop', '--parent', PARENT, '--key-file', '/dev/null'],
      '--key-file: /dev/null is not a JSON object. Give the key file of a service account,',
    ],
  ])('cspm sources refuses %j and exits with 2', async (args, message) => {
    const { code, messages } = await cspm(['sources', ...args], { environment });
    expect([code, messages]).toEqual([2, expect.stringContaining(message)]);
  });
});
