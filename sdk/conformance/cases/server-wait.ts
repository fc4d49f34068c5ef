import type { Case } from '../case.ts';
import { cameAfter, check, failed, gaps, sentTimes, within } from '../check.ts';
import { everyFirst, halfSpan, pairs } from '../crowd.ts';
import { refusal, type Stage } from '../stage.ts';

const HOUR_MS = 3_600_000;

/** Waits that the server asks for. */
export const serverWait: readonly Case[] = [
  keeps('seconds', 'respects a Retry-After of 2 s after 429, within a fifth of it', 429, 2),
  keeps('seconds-503', 'respects a Retry-After after 503 too', 503, 1),
  {
    id: '4.spread',
    line: 4,
    title: 'does not return at the same moment as other clients with the same Retry-After',
    needs: ['read'],
    async run(stage) {
      const told = { status: 429, headers: { 'retry-after': '5' } };
      const waits = pairs(await everyFirst(stage, 30, told));
      for (const wait of waits) within(wait, 5000, 6000 + stage.slackMs, 'one waited');
      // Without jitter, the spread is only the machine's own delay.
      const span = halfSpan(waits);
      check(span >= 250, `half of them came within ${Math.round(span)} ms`);
    },
  },
  dated('date', 'keeps to a Retry-After that is a date', 0, (date) => date.toUTCString()),
  dated(
    'date-behind',
    'reads such a date by the Date of the response: the server is an hour behind',
    -HOUR_MS,
  ),
  dated(
    'date-ahead',
    'reads such a date by the Date of the response: the server is an hour ahead',
    HOUR_MS,
  ),
  dated('date-rfc850', 'reads the form of RFC 850', 0, rfc850),
  dated('date-asctime', 'reads the form of asctime, which means UTC', 0, asctime),
  {
    id: '4.date-past',
    line: 4,
    title: 'may return immediately when the date has passed',
    needs: ['read'],
    async run(stage) {
      const past = { 'retry-after': new Date(stage.clock.wallNow() - HOUR_MS).toUTCString() };
      stage.on('read', { status: 503, headers: past }, 'ok');
      await stage.client().call('read');
      cameAfter(stage, 'read', 0, 1500);
    },
  },
  {
    id: '4.garbage',
    line: 4,
    title: 'ignores a Retry-After that is neither a number nor a date',
    needs: ['read'],
    async run(stage) {
      const told = (value: string) => refusal(503, { 'retry-after': value });
      stage.on('read', told('soon'), told('-7'), told('1e9'));
      failed(await stage.settle(stage.client().call('read')), 503);
      for (const gap of gaps(sentTimes(stage, 'read', 3))) within(gap, 0, 3000, 'it waited');
    },
  },
  {
    id: '4.limit',
    line: 4,
    goal: 'RateLimit header',
    title: 'waits for the end of the window when RateLimit has nothing left',
    needs: ['read'],
    async run(stage) {
      stage.on('read', limited('"default";r=0;t=2'), 'ok');
      await stage.client().call('read');
      cameAfter(stage, 'read', 2000, 2400);
    },
  },
  {
    id: '4.limit-503',
    line: 4,
    title: 'waits for the end of the window after a 503 too',
    needs: ['read'],
    async run(stage) {
      stage.on('read', { status: 503, headers: { ratelimit: '"default";r=0;t=2' } }, 'ok');
      await stage.client().call('read');
      cameAfter(stage, 'read', 2000, 2400);
    },
  },
  {
    id: '4.limit-longest',
    line: 4,
    title: 'waits for the longest of several exhausted windows',
    needs: ['read'],
    async run(stage) {
      stage.on('read', limited('"burst";r=0;t=1, "default";r=0;t=2, "day";r=9;t=9000'), 'ok');
      await stage.client().call('read');
      cameAfter(stage, 'read', 2000, 2400);
    },
  },
  {
    id: '4.limit-open',
    line: 4,
    title: 'does not wait for a window with requests left',
    needs: ['read'],
    async run(stage) {
      stage.on('read', limited('"default";r=5;t=30'), 'ok');
      await stage.client().call('read');
      cameAfter(stage, 'read', 0, 1500);
    },
  },
  {
    id: '4.first-header',
    line: 4,
    title: 'prefers Retry-After to RateLimit and adds no pacing to it',
    needs: ['read'],
    async run(stage) {
      stage.on('read', limited('"default";r=0;t=6', { 'retry-after': '1' }), 'ok');
      await stage.client().call('read');
      cameAfter(stage, 'read', 1000, 1200);
    },
  },
  {
    id: '4.longer-backoff',
    line: 4,
    time: 'clock',
    title: "waits for its backoff when that is longer than the server's wait",
    needs: ['read'],
    async run(stage) {
      stage.chance(() => 0.5);
      stage.on('read', { status: 429, headers: { 'retry-after': '0' } }, 'ok');
      await stage.client().call('read');
      // The middle of U(0, 1000), plus a tenth.
      cameAfter(stage, 'read', 550, 550);
    },
  },
  added('exact', 0, 7000),
  added('fifth', 0.999_999, 8400),
  pastDeadline('past-deadline', 429, 'ends immediately when Retry-After is beyond its deadline'),
  pastDeadline(
    'past-deadline-503',
    503,
    'ends immediately with the error of the response, such as a 503',
  ),
  {
    id: '4.past-deadline-limit',
    line: 4,
    title: 'ends immediately when the exhausted window ends after its deadline',
    needs: ['read'],
    async run(stage) {
      stage.on('read', limited('"default";r=0;t=90'), 'ok');
      await endsAtOnce(stage, 429);
    },
  },
];

function keeps(name: string, title: string, status: number, seconds: number): Case {
  return {
    id: `4.${name}`,
    line: 4,
    ...(seconds === 2 && { goal: 'Retry-After 2 s' }),
    title,
    needs: ['read'],
    async run(stage) {
      stage.on('read', refusal(status, { 'retry-after': `${seconds}` }), 'ok');
      await stage.client().call('read');
      cameAfter(stage, 'read', seconds * 1000, seconds * 1200);
    },
  };
}

/** The server asks to wait two seconds by its own clock, which is off by `skewMs`. */
function dated(
  name: string,
  title: string,
  skewMs: number,
  written: (date: Date) => string = (date) => date.toUTCString(),
): Case {
  return {
    id: `4.${name}`,
    line: 4,
    ...(name !== 'date-rfc850' && name !== 'date-asctime' && { goal: 'HTTP-date' }),
    title,
    needs: ['read'],
    async run(stage) {
      let until = 0;
      const told = () => {
        const now = Math.floor(stage.clock.wallNow() / 1000) * 1000;
        until = now + 2000 - stage.clock.wallNow() + stage.clock.now();
        const headers = {
          date: new Date(now + skewMs).toUTCString(),
          'retry-after': written(new Date(now + skewMs + 2000)),
        };
        return { status: 503, headers };
      };
      stage.on('read', told, 'ok');
      await stage.client().call('read');
      const [, second] = sentTimes(stage, 'read', 2);
      // HTTP dates have whole seconds, so a client may come up to one second later.
      const late = (second?.at ?? 0) - until;
      within(late, 0, 1400 + stage.slackMs, 'after the date by');
    },
  };
}

function added(name: string, chance: number, waitMs: number): Case {
  return {
    id: `4.${name}`,
    line: 4,
    time: 'clock',
    title: `waits ${waitMs} ms of a Retry-After of 7 s when the random number is ${chance ? 'highest' : 'lowest'}`,
    needs: ['read'],
    async run(stage) {
      stage.chance(() => chance);
      stage.on('read', refusal(429, { 'retry-after': '7' }), 'ok');
      await stage.client().call('read');
      cameAfter(stage, 'read', waitMs, waitMs);
    },
  };
}

function pastDeadline(name: string, status: number, title: string): Case {
  return {
    id: `4.${name}`,
    line: 4,
    ...(status === 429 && { goal: 'Retry-After 90 s' }),
    title: `${title}, with the wait in its error`,
    needs: ['read'],
    async run(stage) {
      stage.on('read', refusal(status, { 'retry-after': '90' }), 'ok');
      await endsAtOnce(stage, status);
    },
  };
}

async function endsAtOnce(stage: Stage, status: number) {
  const outcome = await stage.settle(stage.client().call('read'));
  sentTimes(stage, 'read', 1);
  failed(outcome, status);
  within(outcome.tookMs, 0, stage.slackMs, 'it ended after');
  const told = outcome.failure.retryAfterMs;
  check(told === 90_000, `the error names ${told} ms`);
}

function limited(ratelimit: string, more: Readonly<Record<string, string>> = {}) {
  return refusal(429, { ratelimit, ...more });
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Formats a date such as `Sunday, 06-Nov-94 08:49:37 GMT` (RFC 9110 §5.6.7). */
function rfc850(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${DAYS[date.getUTCDay()]}, ${day}-${month}-${year?.slice(2)} ${time} GMT`;
}

/** Formats a date such as `Sun Nov  6 08:49:37 1994` (RFC 9110 §5.6.7). */
function asctime(date: Date): string {
  const [weekday, , month, year, time] = date.toUTCString().split(' ');
  const day = `${date.getUTCDate()}`.padStart(2);
  return `${weekday?.slice(0, 3)} ${month} ${day} ${time} ${year}`;
}
