import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ProcessUnavailable } from './process-unavailable.ts';
import { WatchedProcess } from './watched-process.ts';

/** Longer than Linux accepts for one argument (MAX_ARG_STRLEN), so that Node throws instead of reporting by an event. */
const TOO_LONG = 'x'.repeat(256 * 1024);

it.skipIf(process.platform !== 'linux')(
  'a process that the system refuses at once is unavailable, and leaves no descriptor open (on Linux)',
  async () => {
    const start = () =>
      new WatchedProcess({
        ...{ name: 'packing-child', beside: import.meta.url, args: [TOO_LONG] },
        ...{ evaluationMs: 1_000, memoryMb: 64 },
      });
    const before = await readdir('/proc/self/fd');
    expect(start).toThrow(ProcessUnavailable);
    expect(await readdir('/proc/self/fd')).toHaveLength(before.length);
  },
);
