import { type Case, NotApplicable } from '../case.ts';
import { check, failed, pause, sentTimes, until, within } from '../check.ts';
import { type Outcome, refusal, type Stage } from '../stage.ts';

/** Maximum number of tries, because a busy machine may be late in some of them. */
const ROUNDS = 5;

/** Milliseconds after a response until its client is certainly waiting for the retry. */
const ASLEEP_MS = 60;

/** Calls that the caller aborts. */
export const abort: readonly Case[] = [
  {
    id: '7.before',
    line: 7,
    title: 'sends nothing when the signal is already aborted',
    needs: ['read', 'signal'],
    async run(stage) {
      stage.on('read', 'ok');
      const signal = AbortSignal.abort(new Error('changed my mind'));
      failed(await stage.settle(stage.client().call('read', { signal })));
      sentTimes(stage, 'read', 0);
    },
  },
  {
    id: '7.sleep',
    line: 7,
    time: 'real',
    goal: 'abort in a sleep',
    title: 'ends a wait within 10 ms of an abort',
    needs: ['read', 'signal'],
    async run(stage) {
      let took = await abortSleep(stage);
      for (let round = 1; took > 10 && took < 200 && round < ROUNDS; round += 1) {
        took = await abortSleep(stage);
      }
      within(took, 0, 10, 'the call ended after');
    },
  },
  {
    id: '7.sleep-ends',
    line: 7,
    time: 'real',
    title: 'does not retry a call that was aborted during a wait',
    needs: ['read', 'signal'],
    async run(stage) {
      const told = { status: 503, headers: { 'retry-after': '1' } };
      await abortSleep(stage, told);
      await pause(1300);
      sentTimes(stage, 'read', 1);
    },
  },
  {
    id: '7.hold',
    line: 7,
    time: 'real',
    title: 'ends a call delayed by pacing without sending it',
    needs: ['read', 'signal', 'pacing-off'],
    async run(stage) {
      const { answer } = stage.route('read');
      stage.on('read', { ...answer, headers: { ratelimit: '"default";r=0;t=30' } });
      const client = stage.client();
      await client.call('read');
      const controller = new AbortController();
      const held = stage.settle(client.call('read', { signal: controller.signal }));
      await pause(ASLEEP_MS);
      controller.abort();
      failed(await held);
      sentTimes(stage, 'read', 1);
    },
  },
  {
    id: '7.request',
    line: 7,
    time: 'real',
    title: 'ends a running request and does not retry it',
    needs: ['read', 'signal'],
    async run(stage) {
      failed(await abortRequest(stage));
      sentTimes(stage, 'read', 1);
    },
  },
  {
    id: '7.timeout-signal',
    line: 7,
    time: 'real',
    title: 'does not retry a call whose signal timed out',
    needs: ['read', 'signal'],
    async run(stage) {
      failed(await abortRequest(stage, new DOMException('Too late', 'TimeoutError')));
      sentTimes(stage, 'read', 1);
    },
  },
  {
    id: '7.cause',
    line: 7,
    title: "names the signal's reason as the cause of its error",
    needs: ['read', 'signal'],
    async run(stage) {
      const reason = new Error('gone home');
      const { failure } = await abortRequest(stage, reason);
      check(failure.cause === reason, `the cause is ${failure.cause}`);
    },
  },
];

/** Aborts a call when the server has its request. A second request would be answered. */
async function abortRequest(stage: Stage, reason?: unknown): Promise<Outcome> {
  stage.on('read', 'hang', 'ok');
  const controller = new AbortController();
  const outcome = stage.settle(stage.client().call('read', { signal: controller.signal }));
  await until(() => stage.sent('read').length > 0);
  controller.abort(reason);
  return outcome;
}

/** Aborts a call that waits for its retry. @returns how long the call took to end, in milliseconds. */
async function abortSleep(
  stage: Stage,
  told = refusal(429, { 'retry-after': '30' }),
): Promise<number> {
  const before = stage.sent('read').length;
  stage.on('read', told);
  const controller = new AbortController();
  let ended = false;
  const call = stage.client().call('read', { signal: controller.signal });
  const outcome = stage.settle(call).finally(() => {
    ended = true;
  });
  await until(() => ended || stage.sent('read').length > before);
  await pause(ASLEEP_MS);
  if (ended) throw new NotApplicable('it waits for no retry');
  const abortedAt = performance.now();
  controller.abort();
  failed(await outcome);
  return performance.now() - abortedAt;
}
