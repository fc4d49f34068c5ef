import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));

describe('cspm and standard streams', () => {
  const cspm = commandLine();
  let typed: string[];
  let folder: string;

  beforeEach(async () => {
    typed = (await readFile(SAMPLE, 'utf8')).trimEnd().split('\n');
    folder = await mkdtemp(join(tmpdir(), 'cspm-streams-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('cspm reads standard input for the file "-", as NDJSON or as one JSON value', async () => {
    const ofFile = await cspm(['scan', '--local', SAMPLE, '--format', 'csv']);
    const records = typed.filter((line) => line.startsWith('{'));
    for (const lines of [typed, [`[${records.join(',')}]`]]) {
      const piped = await cspm(['scan', '--local', '-', '--format', 'csv'], { typed: lines });
      expect(piped.code).toBe(1);
      expect(piped.output.split('\n').length).toBe(ofFile.output.split('\n').length);
      expect(piped.messages).toContain('of stdin with');
    }
    const validated = await cspm(['inventory', 'validate', '-'], { typed });
    expect(validated).toMatchObject({ code: 0, messages: expect.stringContaining('of stdin') });
  });

  it('cspm names standard input in the error of a malformed line', async () => {
    const wrong = [...typed.slice(0, 20), '{"name":'];
    const { code, messages } = await cspm(['scan', '--local', '-'], { typed: wrong });
    expect(code).toBe(2);
    expect(messages).toContain('standard input, line 21');
  });

  it('cspm writes to standard output for --output - and creates no file', async () => {
    const args = ['scan', '--local', SAMPLE, '--format', 'json', '--output', '-'];
    const { code, output } = await cspm(args);
    expect(code).toBe(1);
    expect(JSON.parse(output)).toHaveProperty('findings');
    expect(await readdir('.')).not.toContain('-');
  });

  it('cspm scan refuses to upload what it can read only once, before it sends anything', async () => {
    const upload = ['scan', '--project', 'shop', '--inventory'];
    // Nothing listens there.
    const environment = { CSPM_URL: 'http://127.0.0.1:9', CSPM_API_KEY: `cspm_${'a'.repeat(56)}` };
    const { code, messages } = await cspm([...upload, '-'], { typed, environment });
    expect(code).toBe(2);
    expect(messages).toContain('--inventory: standard input is not a regular file');
    expect(messages).toContain('Write it to a file first.');
  });

  it.skipIf(process.platform === 'win32')('cspm scan refuses to upload a named pipe', async () => {
    const pipe = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const environment = { CSPM_URL: 'http://127.0.0.1:9', CSPM_API_KEY: `cspm_${'a'.repeat(56)}` };
    const { code, messages } = await cspm(['scan', '--project', 'shop', '--inventory', pipe], {
      environment,
    });
    expect(code).toBe(2);
    expect(messages).toContain(`--inventory: ${pipe} is not a regular file`);
  });
});
