import type { Case } from '../case.ts';
import { check, failed, oneKey, pause, sentTimes, succeeded } from '../check.ts';
import { refuseConnections } from '../refusing.ts';
import { problem, type Received, startServer } from '../server.ts';
import type { Cue, Outcome, Stage } from '../stage.ts';
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

/** Time limits of an attempt in cases about it, in real milliseconds. A busy machine needs the longer ones. */
const ATTEMPTS_MS = [80, 800, 8_000] as const;

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
      const { outcome, sent } = await performed(stage, call, how, ({ ok }) => ok);
      if (keyed) oneKey(sent);
      succeeded(outcome);
      // The answered attempt may time out too.
      check(how === 'hang' ? sent.length > 1 : sent.length === 2, `${sent.length} requests`);
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
      // The attempt may time out before the server has it.
      const { outcome, sent } = await performed(stage, call, how, (_, requests) => requests > 0);
      failed(outcome, typeof how === 'number' ? how : undefined);
      check(sent.length === 1, `${sent.length} requests`);
    },
  };
}

/**
 * Makes the call, which fails first. If an attempt hangs, it is made with longer and longer limits until the outcome cannot come
 * from a limit that is too short for a busy machine.
 */
async function performed(
  stage: Stage,
  call: CallName,
  how: Cue & (string | number),
  isTelling: (outcome: Outcome, requests: number) => boolean,
): Promise<{ readonly outcome: Outcome; readonly sent: readonly Received[] }> {
  const limits = how === 'hang' ? ATTEMPTS_MS : [undefined];
  for (const [at, attemptMs] of limits.entries()) {
    const before = stage.sent(call).length;
    stage.on(call, how, 'ok');
    const client = stage.client(attemptMs === undefined ? {} : { attemptMs });
    const outcome = await stage.settle(client.call(call));
    const sent = stage.sent(call).slice(before);
    if (isTelling(outcome, sent.length) || at === limits.length - 1) return { outcome, sent };
    // This process also serves: it reads what the abandoned attempt has sent before the next one begins.
    await pause(ATTEMPTS_MS[0]);
  }
  throw new Error('there are no limits');
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
