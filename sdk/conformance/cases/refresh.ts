import type { Case } from '../case.ts';
import { check, failed, oneKey, pause, same, sentTimes, succeeded, until } from '../check.ts';
import { problem, type Received, type Step } from '../server.ts';
import { EXPIRED, guarded, REFRESH, rotate, tokens } from '../session-wire.ts';
import type { Stage } from '../stage.ts';
import type { SessionSetting } from '../subject.ts';

/** Real milliseconds between two events on the server. */
const A_MOMENT_MS = 60;
/** Real milliseconds that a call does not take to end by itself, on a busy machine either. */
const MUCH_LATER_MS = 10_000;

/** Refreshing the access tokens of a session. */
export const refresh: readonly Case[] = [
  {
    id: '8.single-flight',
    line: 8,
    title: 'refreshes a token once for ten calls that were refused together',
    needs: ['read', 'session'],
    async run(stage) {
      const { session, client } = begin(stage);
      stage.on('read', guarded(2, stage.route('read').answer));
      stage.server.on(REFRESH, slowly(rotate));
      const calls = Array.from({ length: 10 }, () => stage.settle(client.call('read')));
      for (const outcome of await Promise.all(calls)) succeeded(outcome);
      renewed(stage, 1);
      sentTimes(stage, 'read', 20);
      same(bodiesOf(stage), [session.refreshToken], 'the refresh tokens');
    },
  },
  {
    id: '8.late-401',
    line: 8,
    title: 'uses the newer token after a late 401 instead of refreshing again',
    needs: ['read', 'session'],
    async run(stage) {
      const { client } = begin(stage);
      const late: Step = { ...EXPIRED, afterMs: 3 * A_MOMENT_MS };
      stage.on('read', late, EXPIRED, guarded(2, stage.route('read').answer));
      stage.server.on(REFRESH, rotate);
      const slow = stage.settle(client.call('read'));
      succeeded(await stage.settle(client.call('read')));
      succeeded(await slow);
      renewed(stage, 1);
    },
  },
  {
    id: '8.keyed',
    line: 8,
    title: 'refreshes the newer token when it is refused for another call',
    needs: ['read', 'session'],
    async run(stage) {
      const { client } = begin(stage);
      stage.server.on(REFRESH, rotate);
      for (const generation of [2, 3, 4]) {
        stage.on('read', guarded(generation, stage.route('read').answer));
        succeeded(await stage.settle(client.call('read')));
      }
      same(bodiesOf(stage), ['refresh-1', 'refresh-2', 'refresh-3'], 'the refresh tokens');
    },
  },
  {
    id: '8.once',
    line: 8,
    title: 'replays a call once: a second 401 ends it',
    needs: ['read', 'session'],
    async run(stage) {
      const { client } = begin(stage);
      stage.on('read', EXPIRED);
      stage.server.on(REFRESH, rotate);
      failed(await stage.settle(client.call('read')), 401);
      sentTimes(stage, 'read', 2);
      renewed(stage, 1);
    },
  },
  {
    id: '8.not-counted',
    line: 3,
    title: 'does not count the replay after a refresh as an attempt',
    needs: ['read', 'session'],
    async run(stage) {
      const { client } = begin(stage);
      stage.on('read', 503, EXPIRED, 503, 'ok');
      stage.server.on(REFRESH, rotate);
      succeeded(await stage.settle(client.call('read')));
      sentTimes(stage, 'read', 4);
    },
  },
  {
    id: '8.same-key',
    line: 8,
    title: 'replays with the same Idempotency-Key and the same bytes',
    needs: ['create', 'session'],
    async run(stage) {
      const { client } = begin(stage);
      stage.on('create', EXPIRED, 'ok');
      stage.server.on(REFRESH, rotate);
      succeeded(await stage.settle(client.call('create')));
      const [first, second] = sentTimes(stage, 'create', 2);
      oneKey(stage.sent('create'));
      same(second?.body, first?.body, 'the second body');
    },
  },
  ...['FORBIDDEN', 'MFA_REQUIRED', 'FEATURE_NOT_LICENSED'].map(
    (code): Case => ({
      id: `8.never-403-${code}`,
      line: 8,
      title: `does not renew a token on 403 ${code}`,
      needs: ['read', 'session'],
      async run(stage) {
        const { client } = begin(stage);
        stage.on('read', problem(403, code));
        stage.server.on(REFRESH, rotate);
        failed(await stage.settle(client.call('read')), 403);
        renewed(stage, 0);
      },
    }),
  ),
  {
    id: '8.other-401',
    line: 8,
    title: 'does not refresh a token after a 401 with another cause, such as a wrong code',
    needs: ['read', 'session'],
    async run(stage) {
      const { client } = begin(stage);
      stage.on('read', problem(401, 'INVALID_CODE'));
      stage.server.on(REFRESH, rotate);
      failed(await stage.settle(client.call('read')), 401);
      renewed(stage, 0);
    },
  },
  {
    id: '8.awaited',
    line: 8,
    title: 'awaits onRefresh with the new pair before any replay',
    needs: ['read', 'session'],
    async run(stage) {
      const order: string[] = [];
      const { client } = begin(stage, async ({ accessToken, refreshToken }) => {
        await new Promise((resolve) => setTimeout(resolve, 2 * A_MOMENT_MS));
        order.push(`stored ${accessToken} ${refreshToken}`);
      });
      const replay: Step = () => {
        order.push('replayed');
        return stage.route('read').answer;
      };
      stage.on('read', EXPIRED, { ...EXPIRED, afterMs: A_MOMENT_MS }, replay);
      stage.server.on(REFRESH, rotate);
      await Promise.all([client.call('read'), client.call('read')]);
      same(order, ['stored access-2 refresh-2', 'replayed', 'replayed'], 'the order');
    },
  },
  {
    id: '8.refused',
    line: 8,
    title: 'ends the call with its own 401 when the refresh token is refused too',
    needs: ['read', 'session'],
    async run(stage) {
      const { client } = begin(stage);
      stage.on('read', EXPIRED);
      stage.server.on(REFRESH, EXPIRED);
      failed(await stage.settle(client.call('read')), 401);
      sentTimes(stage, 'read', 1);
      renewed(stage, 1);
    },
  },
  {
    id: '8.refresh-reset',
    line: 8,
    title: 'does not repeat a refresh whose connection broke, because its token may be spent',
    needs: ['read', 'session'],
    async run(stage) {
      const { client } = begin(stage);
      stage.on('read', EXPIRED);
      stage.server.on(REFRESH, 'reset');
      failed(await stage.settle(client.call('read')));
      sentTimes(stage, 'read', 1);
      renewed(stage, 1);
    },
  },
  {
    id: '8.own-deadline',
    line: 8,
    time: 'real',
    title: 'keeps the deadline of each call that waits for a refresh',
    needs: ['read', 'session', 'deadline'],
    async run(stage) {
      const { client } = begin(stage);
      stage.on('read', guarded(2, stage.route('read').answer));
      const hasty = stage.settle(client.call('read', { deadlineMs: 150 }));
      const renewal = renewalAfter(hasty);
      stage.server.on(REFRESH, renewal.step);
      const patient = stage.settle(client.call('read'));
      const { ok, tookMs } = await hasty;
      check(!ok, 'the call with the deadline succeeded');
      // A timer of Node counts from the start of the present turn of the event loop, so it can end early by its length.
      check(tookMs >= 75, `it ended after ${tookMs} ms`);
      succeeded(await patient);
      check(renewal.isLast, 'it waited for the refresh');
      renewed(stage, 1);
    },
  },
  {
    id: '8.own-signal',
    line: 7,
    time: 'real',
    title: 'keeps the signal of each call that waits for a refresh',
    needs: ['read', 'session', 'signal'],
    async run(stage) {
      const { client } = begin(stage);
      stage.on('read', guarded(2, stage.route('read').answer));
      const controller = new AbortController();
      const bored = stage.settle(client.call('read', { signal: controller.signal }));
      const renewal = renewalAfter(bored);
      stage.server.on(REFRESH, renewal.step);
      const patient = stage.settle(client.call('read'));
      await until(() => stage.server.to(REFRESH).length > 0);
      controller.abort('bored');
      const { failure } = await bored;
      same(failure.cause, 'bored', 'the cause');
      succeeded(await patient);
      check(renewal.isLast, 'it waited for the refresh');
      renewed(stage, 1);
    },
  },
];

function begin(stage: Stage, onRefresh?: SessionSetting['onRefresh']) {
  const { accessToken, refreshToken } = tokens(1);
  const session = { accessToken, refreshToken, ...(onRefresh && { onRefresh }) };
  return { session, client: stage.client({ session }) };
}

/** A refresh that is answered when a call is over, or else much later. `isLast`: whether the call was over first. */
function renewalAfter(call: Promise<unknown>) {
  const renewal = {
    isLast: false,
    step: async (): Promise<Step> => {
      const over = call.then(() => true);
      renewal.isLast = await Promise.race([over, pause(MUCH_LATER_MS).then(() => false)]);
      return { body: tokens(2) };
    },
  };
  return renewal;
}

function slowly(step: (request: Received) => { readonly body?: unknown }): Step {
  return (request) => ({ ...step(request), afterMs: A_MOMENT_MS });
}

function bodiesOf(stage: Stage): unknown[] {
  return stage.server.to(REFRESH).map(({ body }) => JSON.parse(body).refreshToken as unknown);
}

function renewed(stage: Stage, times: number) {
  const requests = stage.server.to(REFRESH).length;
  check(requests === times, `${requests} renewals`);
}
