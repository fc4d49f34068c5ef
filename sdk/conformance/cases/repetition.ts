import type { Case } from '../case.ts';
import { check, failed, oneKey, sentTimes, succeeded } from '../check.ts';
import { refuseConnections } from '../refusing.ts';
import { problem, startServer } from '../server.ts';
import type { Cue } from '../stage.ts';
import type { CallName } from '../subject.ts';

const PASSING = [408, 429, 500, 502, 503, 504] as const;
const BROKEN = ['refuse-body', 'reset', 'cut'] as const;
const FINAL = [400, 401, 403, 404, 409, 413, 422, 501] as const;

/** Calls that may be repeated, with the reason. */
const REPEATABLE: readonly [CallName, string][] = [
  ['read', 'a read'],
  ['check', 'a POST that the contract calls safe'],
  ['remove', 'a call that has the effect of one'],
  ['create', 'a POST with its key'],
];

/** Time limit of an attempt in cases about it, in real milliseconds. */
const ATTEMPT_MS = 80;

/** Which calls may be repeated. */
export const repetition: readonly Case[] = [
  ...REPEATABLE.flatMap(([call, noun]) => [
    ...PASSING.map((status) => repeated(call, status, `repeats ${noun} that got ${status}`)),
    ...BROKEN.map((how) => repeated(call, how, `repeats ${noun} whose connection broke (${how})`)),
    repeated(call, 'hang', `repeats ${noun} after an attempt that timed out`),
    unsent(call, noun),
  ]),
  repeated('command', 429, 'repeats even a non-repeatable call after 429, because it was refused'),
  unsent('command', 'even a non-repeatable call'),
  ...[...PASSING.filter((status) => status !== 429), ...BROKEN, 'hang' as const].map((how) =>
    notRepeated(
      'command',
      how,
      `does not repeat a call with an effect and without a key after ${how}`,
    ),
  ),
  ...FINAL.map((status) =>
    notRepeated('read', status, `does not repeat a call that was refused with ${status}`),
  ),
  {
    id: '1.create-409-in-use',
    line: 1,
    title: 'retries a request after IDEMPOTENCY_KEY_IN_USE',
    needs: ['create'],
    async run(stage) {
      stage.on('create', problem(409, 'IDEMPOTENCY_KEY_IN_USE'), 'ok');
      succeeded(await stage.settle(stage.client().call('create')));
      oneKey(sentTimes(stage, 'create', 2));
    },
  },
  {
    id: '1.create-409',
    line: 1,
    title: 'does not retry after a conflict with another code',
    needs: ['create'],
    async run(stage) {
      stage.on('create', problem(409, 'CONFLICT'), 'ok');
      failed(await stage.settle(stage.client().call('create')), 409);
      sentTimes(stage, 'create', 1);
    },
  },
  {
    id: '1.redirect',
    line: 1,
    title: 'does not send its credential to the host of a redirect',
    needs: ['read'],
    async run(stage) {
      const credential = 'cspm_wanderer';
      const { at } = stage.route('read');
      const elsewhere = await startServer();
      try {
        elsewhere.on(at, {});
        const headers = { location: elsewhere.url + at.slice(at.indexOf('/')) };
        stage.on('read', { status: 307, headers });
        await stage.settle(stage.client({ credential }).call('read'));
        const seen = JSON.stringify(elsewhere.requests);
        check(!seen.includes(credential), 'the other host was sent the credential');
      } finally {
        await elsewhere.close();
      }
    },
  },
  {
    id: '1.off',
    line: 'createClient',
    title: 'makes one attempt when retries are disabled',
    needs: ['read'],
    async run(stage) {
      stage.on('read', 503);
      failed(await stage.settle(stage.client({ maxAttempts: 1 }).call('read')), 503);
      sentTimes(stage, 'read', 1);
    },
  },
];

function repeated(call: CallName, how: Cue & (string | number), title: string): Case {
  const keyed = call === 'create' && how !== 429;
  return {
    id: `1.${call}-${how}`,
    line: 1,
    title,
    needs: how === 'hang' ? [call, 'attempt-bound'] : [call],
    ...(call === 'create' && how === 'reset' && { goal: 'POST after reset' }),
    async run(stage) {
      stage.on(call, how, 'ok');
      const client = stage.client(how === 'hang' ? { attemptMs: ATTEMPT_MS } : {});
      const outcome = await stage.settle(client.call(call));
      if (keyed) oneKey(stage.sent(call));
      succeeded(outcome);
      // On a busy machine the second attempt may time out as well.
      if (how === 'hang') check(stage.sent(call).length > 1, 'one request');
      else sentTimes(stage, call, 2);
    },
  };
}

function notRepeated(call: CallName, how: Cue & (string | number), title: string): Case {
  return {
    id: `1.${call}-${how}`,
    line: 1,
    title,
    needs: how === 'hang' ? [call, 'attempt-bound'] : [call],
    async run(stage) {
      stage.on(call, how, 'ok');
      const client = stage.client(how === 'hang' ? { attemptMs: ATTEMPT_MS } : {});
      failed(await stage.settle(client.call(call)), typeof how === 'number' ? how : undefined);
      sentTimes(stage, call, 1);
    },
  };
}

function unsent(call: CallName, noun: string): Case {
  return {
    id: `1.${call}-unsent`,
    line: 1,
    title: `repeats ${noun} when no connection was made, because nothing was sent`,
    needs: [call],
    async run(stage) {
      const nowhere = await refuseConnections();
      try {
        failed(await stage.settle(stage.client({ baseUrl: nowhere.url }).call(call)));
        check(nowhere.refusals() === 3, `${nowhere.refusals()} attempts to connect`);
      } finally {
        nowhere.close();
      }
    },
  };
}
