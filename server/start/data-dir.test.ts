import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  canLimitFileSize,
  limitFileSize,
  unlimitFileSize,
} from '../../tests/kit/file-size-limit.ts';
import { developmentSecret } from './data-dir.ts';

describe('the generated application secret', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cspm-data-dir-'));
    file = join(folder, 'app-secret');
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('the application secret is created once, for its owner only, also by processes that start together', async () => {
    const secrets = await Promise.all([1, 2, 3, 4].map(() => developmentSecret(folder)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[\w-]{43}$/);
    expect(await readFile(file, 'utf8')).toBe(`${secrets[0]}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['app-secret']);
    await chmod(file, 0o400);
    expect(await developmentSecret(folder)).toBe(secrets[0]);
  });

  it.each(['', '\n', 'short\n', `${'x'.repeat(31)}\n`])(
    'a stored application secret that is too short is refused with the name of its file: %j',
    async (text) => {
      await writeFile(file, text);
      await expect(developmentSecret(folder)).rejects.toThrow(
        `${file} contains fewer than 32 bytes`,
      );
      expect(await readFile(file, 'utf8')).toBe(text);
    },
  );

  it('a folder in place of the application secret is refused with its name', async () => {
    await mkdir(file);
    await expect(developmentSecret(folder)).rejects.toThrow(`${file} could not be read: EISDIR`);
  });

  it.skipIf(!canLimitFileSize())(
    'a full disk leaves no part of an application secret, and the error names the file (skipped without prlimit)',
    async () => {
      limitFileSize(10);
      const created = developmentSecret(folder).finally(unlimitFileSize);
      await expect(created).rejects.toThrow(`${file} could not be created: EFBIG`);
      expect(await readdir(folder)).toEqual([]);
      expect(await developmentSecret(folder)).toMatch(/^[\w-]{43}$/);
    },
  );
});
