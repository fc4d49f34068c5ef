import { execFileSync, spawn } from 'node:child_process';
import {
  chmod,
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
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));
const PERMISSIONS = 0o777;

describe.skipIf(process.platform === 'win32')('cspm --output', () => {
  const cspm = commandLine();
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cspm-output-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const scanTo = (output: string, ...args: readonly string[]) =>
    cspm(['scan', '--local', SAMPLE, '--format', 'json', '--output', output, ...args]);

  it('cspm --output writes the target of a symbolic link, and keeps the link', async () => {
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

  it('cspm --output keeps the permissions of an older file, and leaves it unchanged if the run fails', async () => {
    const report = join(folder, 'report.json');
    await writeFile(report, 'older');
    for (const mode of [0o600, 0o664]) {
      await chmod(report, mode);
      expect((await scanTo(report)).code).toBe(1);
      expect((await stat(report)).mode & PERMISSIONS).toBe(mode);
    }
    const before = await readFile(report, 'utf8');
    const environment = { CSPM_API_KEY: 'cspm_key', CSPM_URL: 'http://127.0.0.1:1' };
    const failed = await cspm(['findings', '--format', 'csv', '--output', report], { environment });
    expect(failed.code).toBe(4);
    expect(await readFile(report, 'utf8')).toBe(before);
  });

  it('cspm --output writes to a pipe whose reader gets everything, and the pipe stays', async () => {
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
  });

  it('cspm --output /dev/stdout is standard output', async () => {
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
      expect((await lstat(device)).isSymbolicLink()).toBe(true);
      expect((await stat('/dev/full')).isCharacterDevice()).toBe(true);
      expect(await readdir(folder)).toEqual(['full']);
    },
  );
});
