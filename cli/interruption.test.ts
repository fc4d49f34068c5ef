import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { run } from './run.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));

describe('an interrupted cspm scan --local', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cspm-interruption-'));
    vi.stubEnv('TMPDIR', folder);
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  it.each([
    ['reads the file', 'reading', []],
    ['evaluates assets', 'evaluating', []],
    ['writes findings', 'CRITICAL', []],
    ['writes a file', 'evaluating', ['--output', 'report.txt']],
  ])(
    'cspm scan --local ends when it is interrupted while it %s, and leaves no file behind',
    async (_, written, args) => {
      const interruption = new AbortController();
      /** Interrupts the command at once: a stream that is read would do so in a later turn of the event loop. */
      const stream = () =>
        new Writable({
          write(piece, _encoding, done) {
            if (String(piece).includes(written)) interruption.abort(new Error('Interrupted'));
            done();
          },
        });
      const [option, file] = args;
      const output = option === undefined ? [] : [option, join(folder, file ?? '')];
      const scanning = run(['scan', '--local', SAMPLE, ...output], {
        input: Readable.from([]),
        output: stream(),
        messages: stream(),
        isTerminal: { input: false, output: false, messages: true },
        environment: {},
        interrupted: interruption.signal,
      });
      await expect(scanning).rejects.toThrow('Interrupted');
      expect(await readdir(folder)).toEqual([]);
    },
  );
});
