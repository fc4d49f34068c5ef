import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runAdmin } from './run.ts';

describe('npm run admin', () => {
  it.each([[['tenant', 'list']], [['key', 'revoke', 'none']], [['reseal']]])(
    'npm run admin refuses a DATA_DIR without a database, and creates nothing there: %j',
    async (words) => {
      const folder = await mkdtemp(join(tmpdir(), 'cspm-admin-'));
      try {
        const [out, err] = [new PassThrough(), new PassThrough()];
        const code = await runAdmin(words, { DATA_DIR: join(folder, 'mistyped') }, { out, err });
        out.end();
        err.end();
        expect(code).toBe(1);
        expect(await text(out)).toBe('');
        expect(await text(err)).toContain(
          `${join(folder, 'mistyped', 'postgres')} contains no database. Set DATA_DIR`,
        );
        expect(await readdir(folder)).toEqual([]);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );
});
