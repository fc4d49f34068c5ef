import type { Case } from '../case.ts';
import { check, gaps, sentTimes, within } from '../check.ts';
import { everyFirst, pairs } from '../crowd.ts';
import type { Stage } from '../stage.ts';

/** Just below 1, the largest value of `random`. */
const HIGHEST = 0.999_999;

const CROWD = 40;

/** Waits before retries when the server names no time. */
export const jitter: readonly Case[] = [
  {
    id: '3.jitter',
    line: 3,
    crowd: true,
    title: `spreads the retries of ${CROWD} calls that got 429 together over the whole time up to the bound`,
    needs: ['read'],
    async run(stage) {
      const waits = pairs(await everyFirst(stage, CROWD, { status: 429 }));
      const [lowest, highest] = [Math.min(...waits), Math.max(...waits)];
      const seen = `all within ${Math.round(lowest)} to ${Math.round(highest)} ms`;
      check(lowest < highest / 4, seen);
      const first = waits.filter((wait) => wait < highest / 2).length;
      check(first > CROWD / 8 && first < (CROWD * 7) / 8, `${first} in the first half, ${seen}`);
    },
  },
  bounds('503', 503, [100, 200]),
  bounds('reset', 'reset', [100, 200]),
  bounds('429', 429, [1000, 2000]),
  {
    id: '3.least',
    line: 3,
    time: 'clock',
    title: 'may retry immediately, because the jitter is full',
    needs: ['read'],
    async run(stage) {
      stage.chance(() => 0);
      stage.on('read', 503);
      await stage.settle(stage.client().call('read'));
      for (const gap of gaps(sentTimes(stage, 'read', 3))) within(gap, 0, 0, 'it waited');
    },
  },
  {
    id: '3.cap',
    line: 3,
    time: 'clock',
    title: 'doubles the bound with each retry, up to 20 s',
    needs: ['read', 'deadline'],
    async run(stage) {
      stage.chance(() => HIGHEST);
      stage.on('read', 503);
      const client = stage.client({ maxAttempts: 11, deadlineMs: 600_000 });
      await stage.settle(client.call('read'));
      checkGaps(stage, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 20_000, 20_000]);
    },
  },
];

function bounds(what: string, cue: number | 'reset', most: readonly number[]): Case {
  return {
    id: `3.bound-${what}`,
    line: 3,
    time: 'clock',
    title: `waits up to ${most.join(' and ')} ms after ${what}`,
    needs: ['read'],
    async run(stage) {
      stage.chance(() => HIGHEST);
      stage.on('read', cue);
      await stage.settle(stage.client().call('read'));
      checkGaps(stage, most);
    },
  };
}

function checkGaps(stage: Stage, most: readonly number[]) {
  const sent = sentTimes(stage, 'read', most.length + 1);
  for (const [at, gap] of gaps(sent).entries()) {
    within(gap, most[at] ?? 0, (most[at] ?? 0) + stage.slackMs, `retry ${at + 1} came after`);
  }
}
