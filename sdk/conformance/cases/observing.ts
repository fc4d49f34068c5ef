import type { Case } from '../case.ts';
import { check, same, sentTimes } from '../check.ts';
import type { Event } from '../subject.ts';

/** How client and server can observe retries. */
export const observing: readonly Case[] = [
  {
    id: '9.header',
    line: 9,
    title:
      'sends the number of the retry to the server from the second attempt on, starting with 1',
    needs: ['read'],
    async run(stage) {
      const { attemptHeader } = stage.subject;
      check(attemptHeader !== undefined, 'no header for it');
      stage.on('read', 503, 'reset', 'ok');
      await stage.client().call('read');
      const told = sentTimes(stage, 'read', 3).map(({ headers }) => headers[attemptHeader]);
      // Some clients send 0 with a first attempt, others no header.
      same([told[0] ?? '0', ...told.slice(1)], ['0', '1', '2'], attemptHeader);
    },
  },
  {
    id: '9.hooks',
    line: 9,
    title: 'calls its hooks for every request, response and retry, with number, delay and reason',
    needs: ['create', 'hooks'],
    async run(stage) {
      const seen: Event[] = [];
      stage.chance(() => 0.5);
      stage.on('create', 503, 'reset', 'ok');
      await stage.client({ onEvent: (event) => void seen.push(event) }).call('create');
      same(
        seen.map(({ what, attempt, reason }) => [what, attempt, reason ?? 'none']),
        [
          ['request', 1, 'none'],
          ['response', 1, 'none'],
          ['retry', 2, 'SERVICE_UNAVAILABLE'],
          ['request', 2, 'SERVICE_UNAVAILABLE'],
          ['response', 2, 'SERVICE_UNAVAILABLE'],
          ['retry', 3, 'CONNECTION_FAILED'],
          ['request', 3, 'CONNECTION_FAILED'],
          ['response', 3, 'CONNECTION_FAILED'],
        ],
        'what the hooks saw',
      );
    },
  },
  {
    id: '9.delay',
    line: 9,
    time: 'clock',
    title: 'passes the wait before an attempt to its hooks',
    needs: ['read', 'hooks'],
    async run(stage) {
      const seen: Event[] = [];
      stage.chance(() => 0.5);
      stage.on('read', 503, { status: 429, headers: { 'retry-after': '2' } }, 'ok');
      await stage.client({ onEvent: (event) => void seen.push(event) }).call('read');
      same(
        seen.map(({ what, delayMs }) => [what, Math.round(delayMs)]),
        [
          ['request', 0],
          ['response', 0],
          ['retry', 50],
          ['request', 50],
          ['response', 50],
          ['retry', 2200],
          ['request', 2200],
          ['response', 2200],
        ],
        'what the hooks saw',
      );
    },
  },
];
