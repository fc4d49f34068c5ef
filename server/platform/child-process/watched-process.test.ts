import { readdir } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
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

it('a process that does not start in time is unavailable and killed', async () => {
  const child = new WatchedProcess({
    ...{ name: 'packing-child', beside: import.meta.url, args: [] },
    ...{ evaluationMs: 1_000, memoryMb: 64, startMs: 0 },
  });
  onTestFinished(() => child.close());
  // A stopped process loads nothing, on a fast machine too.
  process.kill(child.pid as number, 'SIGSTOP');
  await expect(child.ask({})).rejects.toMatchObject({
    name: 'ProcessUnavailable',
    cause: { message: 'A child process did not start within 0 s' },
  });
  expect(child.isOver).toBe(true);
});
