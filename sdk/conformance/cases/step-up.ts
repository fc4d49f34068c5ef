import type { Case } from '../case.ts';
import { check, failed, oneKey, same, sentTimes, succeeded } from '../check.ts';
import { problem } from '../server.ts';
import { guarded, tokens, VERIFY } from '../session-wire.ts';
import type { Stage } from '../stage.ts';

const MFA_REQUIRED = problem(403, 'MFA_REQUIRED');

/** Calls that require a second factor. */
export const stepUp: readonly Case[] = [
  {
    id: 'u.replayed',
    line: 'onStepUp',
    title: 'asks for a code after MFA_REQUIRED, upgrades the session and replays the call',
    needs: ['create', 'session', 'step-up'],
    async run(stage) {
      const { client, asked } = begin(stage);
      stage.on('create', guarded(2, stage.route('create').answer, MFA_REQUIRED));
      stage.server.on(VERIFY, { body: tokens(2) });
      succeeded(await stage.settle(client.call('create')));
      check(asked() === 1, `asked ${asked()} times`);
      sentTimes(stage, 'create', 2);
      const [{ body, headers } = { body: '{}', headers: {} }] = stage.server.to(VERIFY);
      same(JSON.parse(body), { code: '287082' }, 'what was sent');
      same(headers.authorization, 'Bearer access-1', 'with the token');
    },
  },
  {
    id: 'u.same-key',
    line: 'onStepUp',
    title: 'replays with the same Idempotency-Key and the same bytes',
    needs: ['create', 'session', 'step-up'],
    async run(stage) {
      const { client } = begin(stage);
      stage.on('create', MFA_REQUIRED, 'ok');
      stage.server.on(VERIFY, { body: tokens(2) });
      await stage.settle(client.call('create'));
      const [first, second] = sentTimes(stage, 'create', 2);
      oneKey(stage.sent('create'));
      same(second?.body, first?.body, 'the second body');
    },
  },
  {
    id: 'u.not-counted',
    line: 3,
    title: 'does not count the replay after a step-up as an attempt',
    needs: ['create', 'session', 'step-up'],
    async run(stage) {
      const { client } = begin(stage);
      stage.on('create', 503, MFA_REQUIRED, 503, 'ok');
      stage.server.on(VERIFY, { body: tokens(2) });
      succeeded(await stage.settle(client.call('create')));
      sentTimes(stage, 'create', 4);
    },
  },
  {
    id: 'u.once',
    line: 'onStepUp',
    title: 'replays a call once: a second MFA_REQUIRED ends it',
    needs: ['create', 'session', 'step-up'],
    async run(stage) {
      const { client, asked } = begin(stage);
      stage.on('create', MFA_REQUIRED);
      stage.server.on(VERIFY, { body: tokens(2) });
      failed(await stage.settle(client.call('create')), 403);
      sentTimes(stage, 'create', 2);
      check(asked() === 1, `asked ${asked()} times`);
    },
  },
  {
    id: 'u.only-mfa',
    line: 'onStepUp',
    title: 'asks for no code after any other 403',
    needs: ['create', 'session', 'step-up'],
    async run(stage) {
      const { client, asked } = begin(stage);
      stage.on('create', problem(403, 'FORBIDDEN'), 'ok');
      failed(await stage.settle(client.call('create')), 403);
      sentTimes(stage, 'create', 1);
      check(asked() === 0, `asked ${asked()} times`);
    },
  },
  {
    id: 'u.without',
    line: 'onStepUp',
    title: 'ends with MFA_REQUIRED when no code is supplied',
    needs: ['create', 'session', 'step-up'],
    async run(stage) {
      const { accessToken, refreshToken } = tokens(1);
      const client = stage.client({ session: { accessToken, refreshToken } });
      stage.on('create', MFA_REQUIRED, 'ok');
      failed(await stage.settle(client.call('create')), 403);
      sentTimes(stage, 'create', 1);
    },
  },
];

function begin(stage: Stage) {
  const { accessToken, refreshToken } = tokens(1);
  let times = 0;
  const onStepUp = async () => {
    times += 1;
    return '287082';
  };
  const client = stage.client({ session: { accessToken, refreshToken }, onStepUp });
  return { client, asked: () => times };
}
