import { describe, expect, it } from 'vitest';
import { Pacer } from './index.ts';
import { SkippingClock } from './testing/pulled.ts';

const MINUTE_MS = 60_000;

describe('Pacer', () => {
  it('Pacer spreads concurrent calls over the minutes', async () => {
    const at = new SkippingClock();
    const pacer = new Pacer(2, {
      now: () => new Date(0),
      sleep: (ms, signal) => at.sleep(ms, signal),
    });
    await Promise.all([1, 2, 3, 4, 5].map(() => pacer.take(undefined)));
    expect(at.waits).toEqual([MINUTE_MS, MINUTE_MS, 2 * MINUTE_MS]);
  });

  it('Pacer uses the whole quota for pulls that try again later instead of waiting', async () => {
    const [pulls, pages, callMs] = [60, 20, 300];
    let now = 0;
    const begun: number[] = [];
    const pacer = new Pacer(undefined, {
      now: () => new Date(now),
      async sleep(ms) {
        if (ms > 5_000) throw new TryLater(ms);
        now += ms;
      },
    });
    // One job of one pull at a time, as the queue runs them.
    const jobs = Array.from({ length: pulls }, () => ({ due: 0, left: pages }));
    while (begun.length < pulls * pages && now < 60 * MINUTE_MS) {
      const job = jobs.sort((a, b) => a.due - b.due).find(({ left }) => left > 0);
      if (job === undefined) break;
      now = Math.max(now, job.due);
      try {
        await pacer.take(undefined);
        begun.push(now);
        now += callMs;
        [job.due, job.left] = [now, job.left - 1];
      } catch (error) {
        if (!(error instanceof TryLater)) throw error;
        job.due = now + error.ms;
      }
    }
    expect(begun).toHaveLength(pulls * pages);
    expect(now).toBeLessThan(13 * MINUTE_MS);
    for (const [at, time] of begun.entries()) {
      expect(time - (begun[at - 100] ?? -MINUTE_MS)).toBeGreaterThanOrEqual(MINUTE_MS);
    }
  });

  it('Pacer never exceeds the quota after waiting calls were aborted', async () => {
    const at = new SkippingClock();
    const waiting: { readonly at: number; readonly abort: () => void }[] = [];
    const pacer = new Pacer(3, {
      now: () => at.now(),
      sleep: (ms) =>
        new Promise((_, reject) => {
          waiting.push({ at: at.now().getTime() + ms, abort: () => reject(new TryLater(ms)) });
        }),
    });
    const start = at.now().getTime();
    const takes = [];
    for (const second of [0, 20, 40, 40, 40, 40]) {
      await at.sleep(start + second * 1000 - at.now().getTime(), undefined);
      takes.push(pacer.take(undefined));
    }
    // They wait until the seconds 60, 80 and 100.
    waiting[0]?.abort();
    waiting[1]?.abort();
    await expect(takes[3]).rejects.toThrow(TryLater);
    await expect(takes[4]).rejects.toThrow(TryLater);
    for (let more = 0; more < 4; more += 1) void pacer.take(undefined);
    const seconds = waiting.map((call) => (call.at - start) / 1000);
    expect(seconds).toEqual([60, 80, 100, 80, 100, 140, 160]);
  });
});

class TryLater extends Error {
  override readonly name = 'TryLater';
  readonly ms: number;

  constructor(ms: number) {
    super();
    this.ms = ms;
  }
}
