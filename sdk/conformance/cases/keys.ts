import type { Case } from '../case.ts';
import { check, failed, gaps, oneKey, same, sentTimes, succeeded } from '../check.ts';
import type { Cue } from '../stage.ts';
import type { CallName } from '../subject.ts';

const DAY_MS = 86_400_000;

/** The Idempotency-Key and the bytes of a call. */
export const keys: readonly Case[] = [
  {
    id: '2.first',
    line: 2,
    title: 'sends a key from the first attempt on when the contract accepts one',
    needs: ['create'],
    async run(stage) {
      stage.on('create', 'ok');
      succeeded(await stage.settle(stage.client().call('create')));
      oneKey(sentTimes(stage, 'create', 1));
    },
  },
  {
    id: '2.stable',
    line: 2,
    goal: 'key',
    title: 'uses one key for all attempts of a call',
    needs: ['create'],
    async run(stage) {
      stage.on('create', 503, 'reset', 'ok');
      await stage.settle(stage.client().call('create'));
      oneKey(stage.sent('create'));
      sentTimes(stage, 'create', 3);
    },
  },
  {
    id: '2.fresh',
    line: 2,
    title: 'creates another key for another call',
    needs: ['create'],
    async run(stage) {
      stage.on('create', 'ok');
      const client = stage.client();
      for (let call = 0; call < 20; call += 1) await client.call('create');
      const sent = stage.sent('create').map(({ headers }) => headers['idempotency-key']);
      check(!sent.includes(undefined), 'no Idempotency-Key');
      check(new Set(sent).size === 20, `${new Set(sent).size} keys for 20 calls`);
    },
  },
  {
    id: '2.form',
    line: 2,
    title: 'creates keys of 1 to 255 visible ASCII characters without comma and quote',
    needs: ['create'],
    async run(stage) {
      stage.on('create', 'ok');
      await stage.client().call('create');
      const key = `${stage.sent('create')[0]?.headers['idempotency-key'] ?? ''}`;
      check(/^[!#-+\--~]{1,255}$/.test(key), `the key is "${key}"`);
    },
  },
  {
    id: '2.own',
    line: 2,
    title: "uses the caller's key unchanged",
    needs: ['create'],
    async run(stage) {
      stage.on('create', 503, 'ok');
      await stage.client().call('create', { key: 'nightly-2026-11-20' });
      for (const { headers } of sentTimes(stage, 'create', 2)) {
        same(headers['idempotency-key'], 'nightly-2026-11-20', 'the key');
      }
    },
  },
  ...(['read', 'check', 'remove', 'command'] as const).map(noKey),
  {
    id: '2.body-once',
    line: 2,
    title: 'serializes the body once, so that later changes by the caller do not affect a retry',
    needs: ['create'],
    async run(stage) {
      const names = ['before'];
      const change: Cue = () => {
        names.push('after');
        return { status: 503 };
      };
      stage.on('create', change, 'ok');
      await stage.client().call('create', { names });
      const [first, second] = sentTimes(stage, 'create', 2);
      check(first?.body.includes('before') === true, `the body is ${first?.body}`);
      same(second?.body, first?.body, 'the second body');
    },
  },
  {
    id: '2.life',
    line: 2,
    time: 'clock',
    title: 'does not retry after the key has expired, because the server would repeat the effect',
    needs: ['create', 'deadline'],
    async run(stage) {
      const tomorrow: Cue = { status: 429, headers: { 'retry-after': `${DAY_MS / 1000 + 1}` } };
      stage.on('create', tomorrow, 'ok');
      const client = stage.client({ deadlineMs: 3 * DAY_MS });
      const outcome = await stage.settle(client.call('create'));
      sentTimes(stage, 'create', 1);
      failed(outcome, 429);
      check(outcome.tookMs < 1000, `it took ${outcome.tookMs} ms`);
    },
  },
  {
    id: '2.life-read',
    line: 2,
    time: 'clock',
    title: 'retries calls without a key until the deadline',
    needs: ['read', 'deadline'],
    async run(stage) {
      stage.on('read', { status: 429, headers: { 'retry-after': `${DAY_MS / 1000 + 1}` } }, 'ok');
      succeeded(await stage.settle(stage.client({ deadlineMs: 3 * DAY_MS }).call('read')));
      const [gap = 0] = gaps(sentTimes(stage, 'read', 2));
      check(gap >= DAY_MS, `the second request came after ${gap} ms`);
    },
  },
];

function noKey(call: CallName): Case {
  return {
    id: `2.none-${call}`,
    line: 2,
    title: `sends no key with a ${call}, because the contract accepts none`,
    needs: [call, 'create'],
    async run(stage) {
      stage.on(call, 'ok');
      await stage.client().call(call);
      const [request] = sentTimes(stage, call, 1);
      check(request?.headers['idempotency-key'] === undefined, 'an Idempotency-Key');
    },
  };
}
