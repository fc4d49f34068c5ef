import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, ServerProcess } from '../../tests/kit/server-process.ts';

const SERVER = fileURLToPath(new URL('..', import.meta.url));

describe('the bundled server', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await bundle();
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('imports no package of which the server has a version of its own, because it would load the other one', async () => {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    const imported = new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/^import (?:.* from )?"(@[^/"]+|[^/"@]+)/gm)].map(
          ([, name = '']) => name,
        ),
      ),
    );
    expect(imported).toContain('express');
    // Node finds the packages of the root from the bundle, not those of the server's own folder.
    const own = await readdir(join(SERVER, 'node_modules')).catch(() => []);
    expect(own.filter((name) => imported.has(name))).toEqual([]);
  });

  it('understands ranges of addresses in WEBHOOK_ALLOW_CIDRS', async () => {
    const wrong = new ServerProcess(join(folder, 'main.mjs'), {
      WEBHOOK_ALLOW_CIDRS: '10.20.0.0/16',
      RATE_LIMIT: 'none',
    });
    expect((await wrong.ended()).code).toBe(1);
    expect(wrong.output).toContain('The configuration has 1 fault(s)');
    expect(wrong.output).toContain('RATE_LIMIT');
  });
});
