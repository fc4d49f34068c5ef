import { execFileSync, spawn } from 'node:child_process';
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeOut } from './output-file.ts';
import { commandLine } from './testing/command-line.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));
const PERMISSIONS = 0o777;

/** Windows has no such links, permissions, pipes and devices. */
const onPosix = it.skipIf(process.platform === 'win32');

describe('cspm --output', () => {
  const cspm = commandLine();
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cspm-output-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const scanTo = (output: string, ...args: readonly string[]) =>
    cspm(['scan', '--local', SAMPLE, '--format', 'json', '--output', output, ...args]);

  it('cspm scan refuses an output that would replace a file it reads, also by another name', async () => {
    const input = join(folder, 'export.ndjson');
    await copyFile(SAMPLE, input);
    const linked = join(folder, 'linked.ndjson');
    await link(input, linked);
    for (const [option, file] of [
      ['--output', input],
      ['--output', `${folder}/./export.ndjson`],
      ['--fixes', linked],
    ] as const) {
      const { code, output, messages } = await cspm(['scan', '--local', input, option, file]);
      expect({ code, output }).toEqual({ code: 2, output: '' });
      expect(messages).toContain(
        `${option} would replace the file that --local reads: ${file}. Name another file.`,
      );
    }
    expect(await readFile(input)).toEqual(await readFile(SAMPLE));
  });

  onPosix('cspm --output writes the target of a symbolic link, and keeps the link', async () => {
    const [report, link] = [join(folder, 'report.json'), join(folder, 'latest.json')];
    await symlink('report.json', link);
    for (const older of [null, 'older']) {
      if (older !== null) await writeFile(report, older);
      expect((await scanTo(link)).code).toBe(1);
      expect((await lstat(link)).isSymbolicLink()).toBe(true);
      expect(JSON.parse(await readFile(report, 'utf8'))).toHaveProperty('findings');
    }
    expect(await readdir(folder)).toEqual(['latest.json', 'report.json']);
  });

  onPosix(
    'cspm --output keeps the permissions of an older file, and leaves it unchanged if the run fails',
    async () => {
      const report = join(folder, 'report.json');
      await writeFile(report, 'older');
      for (const mode of [0o600, 0o664]) {
        await chmod(report, mode);
        expect((await scanTo(report)).code).toBe(1);
        expect((await stat(report)).mode & PERMISSIONS).toBe(mode);
      }
      const before = await readFile(report, 'utf8');
      const environment = { CSPM_API_KEY: 'cspm_key', CSPM_URL: 'http://127.0.0.1:1' };
      const failed = await cspm(['findings', '--format', 'csv', '--output', report], {
        environment,
      });
      expect(failed.code).toBe(4);
      expect(await readFile(report, 'utf8')).toBe(before);
    },
  );

  it('cspm scan --local --output writes the complete report, and keeps the older file when the scan fails', async () => {
    const report = join(folder, 'report.sarif');
    const args = ['--format', 'sarif', '--output', report, '--fail-on', 'never'];
    const { code, output } = await cspm(['scan', '--local', SAMPLE, ...args]);
    expect({ code, output }).toEqual({ code: 0, output: '' });
    const sarif = JSON.parse(await readFile(report, 'utf8'));
    expect(sarif.version).toBe('2.1.0');
    expect(sarif.runs[0].results.length).toBeGreaterThan(100);
    const broken = join(folder, 'broken.ndjson');
    await writeFile(broken, '{"name":"//x/1","asset_type":"x/T"}\n{"name"');
    const second = await cspm(['scan', '--local', broken, ...args]);
    expect(second.code).toBe(2);
    expect(second.messages).toContain('broken.ndjson, line 2: This is not JSON');
    expect(JSON.parse(await readFile(report, 'utf8'))).toEqual(sarif);
  });

  it('cspm scan --local names an output file that cannot be written, and exits with 2', async () => {
    for (const output of [join(folder, 'missing', 'x.sarif'), folder]) {
      const { code, messages } = await cspm(['scan', '--local', SAMPLE, '--output', output]);
      expect(code).toBe(2);
      expect(messages).toContain(`Cannot write ${output}: E`);
      expect(messages).not.toContain('.part');
    }
  });

  onPosix(
    'cspm --output writes to a pipe whose reader gets everything, and the pipe stays',
    async () => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        const received = text(reader.stdout);
        expect((await scanTo(pipe)).code).toBe(1);
        expect((await lstat(pipe)).isFIFO()).toBe(true);
        expect(JSON.parse(await received)).toHaveProperty('findings');
      } finally {
        reader.kill();
      }
    },
  );

  it('cspm --output writes although the draft of a killed process with the same id is left', async () => {
    const report = join(folder, 'report.json');
    await writeFile(`${report}.${process.pid}.part`, 'left');
    expect((await scanTo(report)).code).toBe(1);
    expect(JSON.parse(await readFile(report, 'utf8'))).toHaveProperty('findings');
  });

  it('writeOut leaves no listeners on a slow stream', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const pieces = Readable.from(['one', 'two', 'three']);
    const read = text(stream);
    const ofReader = stream.listenerCount('error');
    await writeOut(pieces, { file: undefined, stream });
    expect(stream.listenerCount('error')).toBe(ofReader);
    stream.end();
    expect(await read).toBe('onetwothree');
  });

  onPosix('cspm --output /dev/stdout is standard output', async () => {
    const { code, output } = await scanTo('/dev/stdout');
    expect(code).toBe(1);
    expect(JSON.parse(output)).toHaveProperty('findings');
  });

  it.skipIf(process.platform !== 'linux')(
    'cspm --output refuses a full device with exit code 2, and the device stays',
    async () => {
      // A link, because a defect would replace the device of this machine if tests run as root.
      const device = join(folder, 'full');
      await symlink('/dev/full', device);
      const { code, messages } = await scanTo(device);
      expect(code).toBe(2);
      expect(messages).toContain(`Cannot write ${device}: ENOSPC`);
      expect(messages).toContain('Free some space, or name a file on another disk.');
      expect((await lstat(device)).isSymbolicLink()).toBe(true);
      expect((await stat('/dev/full')).isCharacterDevice()).toBe(true);
      expect(await readdir(folder)).toEqual(['full']);
    },
  );
});
