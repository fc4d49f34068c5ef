import type { Case } from '../case.ts';
import { check, failed, gaps, same, sentTimes, within } from '../check.ts';
import { fixedWindow, type Reply } from '../server.ts';
import type { Stage } from '../stage.ts';
import type { CallName } from '../subject.ts';

/** The contract allows ten launches a minute. */
const LAUNCHES = 10;
const MINUTE_MS = 60_000;

/** Waiting for rate limits instead of exceeding them. */
export const pacing: readonly Case[] = [
  {
    id: '6.header',
    line: 6,
    goal: 'RateLimit header',
    title: 'delays the next call until the window ends when no requests are left',
    needs: ['read'],
    async run(stage) {
      stage.on('read', telling(stage, '"default";r=0;t=2'), 'ok');
      const client = stage.client();
      await client.call('read');
      await client.call('read');
      const [gap = 0] = gaps(sentTimes(stage, 'read', 2));
      within(gap, 2000, 2400 + stage.slackMs, 'the next call came after');
    },
  },
  learned(5, 2),
  learned(12, 2),
  {
    id: '6.never-assumed',
    line: 6,
    crowd: true,
    title: 'delays nothing when no header reported the general limit',
    needs: ['read'],
    async run(stage) {
      stage.on('read', 'ok');
      const client = stage.client();
      const startedAt = stage.clock.now();
      await Promise.all(Array.from({ length: 120 }, () => client.call('read')));
      within(stage.clock.now() - startedAt, 0, 10_000, 'all were through after');
    },
  },
  {
    id: '6.every-endpoint',
    line: 6,
    title: 'counts every endpoint against the general limit, whichever reported it',
    needs: ['read', 'create'],
    async run(stage) {
      stage.on('read', telling(stage, '"default";r=0;t=2'));
      stage.on('create', 'ok');
      const client = stage.client();
      await client.call('read');
      await client.call('create');
      const [first, second] = [...stage.sent('read'), ...stage.sent('create')];
      const gap = (second?.at ?? 0) - (first?.at ?? 0);
      within(gap, 2000, 2400 + stage.slackMs, 'the create came after');
    },
  },
  {
    id: '6.contract-burst',
    line: 6,
    time: 'clock',
    title: 'gets no 429 for 25 concurrent launches, from the first request on',
    needs: ['create', 'contract-limits', 'deadline'],
    async run(stage) {
      const refused = countLaunches(stage);
      const client = stage.client({ deadlineMs: 10 * MINUTE_MS });
      await Promise.all(Array.from({ length: 25 }, () => client.call('create')));
      sentTimes(stage, 'create', 25);
      check(refused() === 0, `${refused()} met 429`);
    },
  },
  {
    id: '6.contract-hold',
    line: 6,
    time: 'clock',
    title: 'delays the eleventh launch of a minute until the window ends, and no longer',
    needs: ['create', 'contract-limits', 'deadline'],
    async run(stage) {
      countLaunches(stage);
      const client = stage.client({ deadlineMs: 2 * MINUTE_MS });
      for (let call = 0; call <= LAUNCHES; call += 1) await client.call('create');
      const sent = sentTimes(stage, 'create', LAUNCHES + 1);
      const waited = (sent.at(-1)?.at ?? 0) - (sent[0]?.at ?? 0);
      within(waited, MINUTE_MS - 1000, MINUTE_MS + 1000, 'the last came after');
      for (const gap of gaps(sent.slice(0, -1))) within(gap, 0, 0, 'one before waited');
    },
  },
  {
    id: '6.refused',
    line: 6,
    time: 'clock',
    title:
      'refuses a launch with RateLimitError, unsent, when it would have to wait beyond the deadline',
    needs: ['create', 'contract-limits', 'deadline', 'families'],
    async run(stage) {
      countLaunches(stage);
      const client = stage.client({ deadlineMs: 30_000 });
      for (let call = 0; call < LAUNCHES; call += 1) await client.call('create');
      const outcome = await stage.settle(client.call('create'));
      failed(outcome);
      sentTimes(stage, 'create', LAUNCHES);
      same(outcome.failure.family, 'RateLimitError', 'the class');
      within(outcome.tookMs, 0, stage.slackMs, 'it ended after');
      within(outcome.failure.retryAfterMs ?? 0, 59_000, 61_000, 'the error names');
    },
  },
  {
    id: '6.queue',
    line: 6,
    time: 'clock',
    title: 'counts queued calls: of 25 launches in 90 s the last five are refused',
    needs: ['create', 'contract-limits', 'deadline'],
    async run(stage) {
      const refused = countLaunches(stage);
      const client = stage.client({ deadlineMs: 90_000 });
      const calls = Array.from({ length: 25 }, () => stage.settle(client.call('create')));
      const outcomes = await Promise.all(calls);
      check(outcomes.filter(({ ok }) => ok).length === 20, 'not 20 came through');
      sentTimes(stage, 'create', 20);
      check(refused() === 0, `${refused()} met 429`);
    },
  },
  {
    id: '6.own-limit',
    line: 6,
    time: 'clock',
    title: 'does not delay other endpoints when the limit of one is exhausted',
    needs: ['create', 'read', 'contract-limits'],
    async run(stage) {
      countLaunches(stage);
      stage.on('read', 'ok');
      const client = stage.client();
      for (let call = 0; call < LAUNCHES; call += 1) await client.call('create');
      const { tookMs } = await stage.settle(client.call('read'));
      within(tookMs, 0, stage.slackMs, 'a read took');
    },
  },
  {
    id: '6.off',
    line: 6,
    title: 'delays nothing when pacing is off',
    needs: ['read', 'pacing-off'],
    async run(stage) {
      stage.on('read', telling(stage, '"default";r=0;t=30'));
      const client = stage.client({ pacing: 'off' });
      for (let call = 0; call < 3; call += 1) await client.call('read');
      for (const gap of gaps(sentTimes(stage, 'read', 3))) within(gap, 0, stage.slackMs, 'after');
    },
  },
];

function learned(quota: number, windowSeconds: number): Case {
  return {
    id: `6.learned-${quota}`,
    line: 6,
    title: `gets no 429 in a burst after a header reported ${quota} requests in ${windowSeconds} s`,
    needs: ['read'],
    async run(stage) {
      const refused = limit(stage, 'read', 'default', quota, windowSeconds);
      const client = stage.client();
      await client.call('read');
      await Promise.allSettled(Array.from({ length: quota + 2 }, () => client.call('read')));
      check(refused() === 0, `${refused()} met 429`);
      sentTimes(stage, 'read', quota + 3);
    },
  };
}

function countLaunches(stage: Stage): () => number {
  return limit(stage, 'create', 'scans', LAUNCHES, MINUTE_MS / 1000);
}

/** Makes the server apply a limit. @returns the number of refused calls. */
function limit(
  stage: Stage,
  call: CallName,
  name: string,
  quota: number,
  windowSeconds: number,
): () => number {
  const window = fixedWindow(name, quota, windowSeconds, stage.clock.now);
  let admitted = 0;
  stage.on(
    call,
    window(() => {
      admitted += 1;
      return stage.route(call).answer;
    }),
  );
  return () => stage.sent(call).length - admitted;
}

/** A successful response with rate-limit headers. */
function telling(stage: Stage, ratelimit: string): Reply {
  const { answer } = stage.route('read');
  return { ...answer, headers: { ...answer.headers, ratelimit } };
}
