import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { commandLine } from './testing/command-line.ts';

const BUCKET = 'storage.googleapis.com/Bucket';
const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));

/** On a server of its own, because a server allows ten scans a minute for an address. */
describe('cspm scan with an inventory file', () => {
  const cspm = commandLine();
  let server: TestServer;
  let environment: Record<string, string>;

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    const user = await server.people.user();
    environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
    await scan('--create', '--inventory', SAMPLE);
  });

  afterAll(() => server.close());

  const scan = (...args: string[]) =>
    cspm(['scan', '--project', 'shop', '--profile', 'critical', ...args], { environment });

  it('cspm scan uploads nothing to an unknown project, exits with 3 and lists the projects', async () => {
    const args = ['scan', '--project', 'shpo', '--inventory', SAMPLE];
    const { code, output, messages } = await cspm(args, { environment });
    expect({ code, output }).toEqual({ code: 3, output: '' });
    expect(messages).toContain('--project: there is no project "shpo". Projects: shop.');
    expect(messages).toContain('--create');
    expect(messages).not.toContain('Uploaded');
  });

  it('cspm scan with an unknown profile uploads nothing, creates no project and lists the profiles', async () => {
    for (const more of [['--inventory', SAMPLE], ['--create']]) {
      const args = ['scan', '--project', 'other', '--profile', 'ful', ...more];
      const { code, output, messages } = await cspm(args, { environment });
      expect({ code, output }).toEqual({ code: 3, output: '' });
      expect(messages).toMatch(/--profile: there is no profile "ful"\. Profiles: .*full/);
      expect(messages).not.toContain('Uploaded');
    }
    const { messages } = await cspm(['scan', '--project', 'other'], { environment });
    expect(messages).toContain('no project "other"');
  });

  it('cspm scan does not replace an inventory by a file without an asset, and exits with 2', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-empty-'));
    for (const [name, content] of [
      ['empty.ndjson', ''],
      ['empty.json', '[]'],
    ] as const) {
      const file = join(folder, name);
      await writeFile(file, content);
      const { code, output, messages } = await scan('--inventory', file);
      expect({ code, output }).toEqual({ code: 2, output: '' });
      expect(messages).toContain(`${file} contains no asset, so it was not uploaded.`);
    }
    const directory = await scan('--inventory', folder);
    expect(directory.code).toBe(2);
    expect(directory.messages).toContain(`--inventory: ${folder} is a directory.`);
    await rm(folder, { recursive: true });
    expect((await scan()).messages).not.toContain(': 0 assets');
  });

  it('cspm scan uploads NDJSON in a .json file, plain and gzipped', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-lines-'));
    const sample = await readFile(SAMPLE);
    for (const [name, content] of [
      ['lines.json', sample],
      ['lines.json.gz', gzipSync(sample)],
      ['packed.json', gzipSync(sample)],
    ] as const) {
      const file = join(folder, name);
      await writeFile(file, content);
      const { messages } = await scan('--create', '--inventory', file);
      expect(messages).toMatch(/^Uploaded \d+ assets of \d+ types\.$/m);
    }
    await rm(folder, { recursive: true });
  });

  it('cspm scan counts one asset of one type as one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-single-'));
    const file = join(folder, 'one.ndjson');
    await writeFile(file, JSON.stringify({ name: '//x/1', asset_type: BUCKET }));
    const args = ['scan', '--project', 'single', '--create', '--inventory', file];
    const { messages } = await cspm(args, { environment });
    await rm(folder, { recursive: true });
    expect(messages).toContain('Uploaded 1 asset of 1 type.\n');
    expect(messages).toContain('Scan completed: 1 asset, ');
  });

  it('cspm scan exits with 2 when no verdict is PASS or FAIL, unless --fail-on is never', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-undecided-'));
    const file = join(folder, 'other.ndjson');
    await writeFile(file, '{"name":"//x.googleapis.com/y","asset_type":"x.googleapis.com/Y"}');
    const undecided = (...args: string[]) =>
      cspm(['scan', '--project', 'undecided', '--create', ...args], { environment });
    const { code, messages } = await undecided('--inventory', file);
    await rm(folder, { recursive: true });
    expect(code).toBe(2);
    expect(messages).toContain('No verdict is PASS or FAIL, so');
    expect((await undecided('--fail-on', 'never')).code).toBe(0);
  });
});
