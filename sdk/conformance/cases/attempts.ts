import type { Case } from '../case.ts';
import { failed, sentTimes, within } from '../check.ts';
import type { Cue } from '../stage.ts';

const RETRY_IN_2_S: Cue = { status: 503, headers: { 'retry-after': '2' } };

/** Number of attempts and deadlines. */
export const attempts: readonly Case[] = [
  {
    id: '3.three-429',
    line: 3,
    goal: 'requests on a bare 429',
    title: 'makes three attempts when every response is a 429 without a wait',
    needs: ['read'],
    async run(stage) {
      stage.on('read', { status: 429 });
      failed(await stage.settle(stage.client().call('read')), 429);
      sentTimes(stage, 'read', 3);
    },
  },
  {
    id: '3.three-503',
    line: 3,
    title: 'makes three attempts when every response is a 503',
    needs: ['read'],
    async run(stage) {
      stage.on('read', 503);
      failed(await stage.settle(stage.client().call('read')), 503);
      sentTimes(stage, 'read', 3);
    },
  },
  {
    id: '3.three-mixed',
    line: 3,
    title: 'makes three attempts in total for any mix of failures',
    needs: ['read'],
    async run(stage) {
      stage.on('read', 'reset', 429, 502, 'ok');
      failed(await stage.settle(stage.client().call('read')), 502);
      sentTimes(stage, 'read', 3);
    },
  },
  {
    id: '3.max-attempts',
    line: 'createClient',
    title: 'makes as many attempts as its caller allows',
    needs: ['read'],
    async run(stage) {
      stage.on('read', 503);
      failed(await stage.settle(stage.client({ maxAttempts: 2 }).call('read')), 503);
      sentTimes(stage, 'read', 2);
    },
  },
  {
    id: '3.deadline-sleeps',
    line: 3,
    title: 'has one deadline for all waits',
    needs: ['read', 'deadline'],
    async run(stage) {
      stage.on('read', RETRY_IN_2_S);
      const outcome = await stage.settle(stage.client({ deadlineMs: 3000 }).call('read'));
      failed(outcome);
      sentTimes(stage, 'read', 2);
      within(outcome.tookMs, 2000, 3000 + stage.slackMs, 'the call ended after');
    },
  },
  {
    id: '3.deadline-default',
    line: 3,
    time: 'clock',
    title: 'has a deadline of 60 s by default',
    needs: ['read', 'deadline'],
    async run(stage) {
      stage.on('read', { status: 503, headers: { 'retry-after': '35' } });
      const outcome = await stage.settle(stage.client().call('read'));
      failed(outcome, 503);
      sentTimes(stage, 'read', 2);
      within(outcome.tookMs, 35_000, 60_000, 'the call ended after');
    },
  },
  {
    id: '3.deadline-attempts',
    line: 3,
    time: 'real',
    title: 'has one deadline for all attempts',
    needs: ['read', 'deadline', 'attempt-bound'],
    async run(stage) {
      stage.on('read', 'hang');
      const client = stage.client({ deadlineMs: 400, attemptMs: 300 });
      const outcome = await stage.settle(client.call('read'));
      failed(outcome);
      within(outcome.tookMs, 300, 400 + stage.slackMs, 'the call ended after');
    },
  },
  {
    id: '3.deadline-body',
    line: 3,
    time: 'real',
    title: 'includes the body in its deadline: a response that never ends is cut off',
    needs: ['read', 'deadline'],
    async run(stage) {
      const pieces = ['{"id":', ...Array<string>(200).fill(' ')];
      stage.on('read', { pieces, everyMs: 20, unfinished: true });
      const outcome = await stage.settle(stage.client({ deadlineMs: 150 }).call('read'));
      failed(outcome);
      within(outcome.tookMs, 0, 150 + stage.slackMs, 'the call ended after');
    },
  },
  {
    id: '3.deadline-call',
    line: 'methods',
    time: 'real',
    title: 'accepts a deadline for one call too',
    needs: ['read', 'deadline'],
    async run(stage) {
      stage.on('read', 'hang');
      const outcome = await stage.settle(stage.client().call('read', { deadlineMs: 80 }));
      failed(outcome);
      within(outcome.tookMs, 78, 80 + stage.slackMs, 'the call ended after');
    },
  },
  {
    id: '3.late-answer',
    line: 3,
    time: 'real',
    title: 'does not treat a slow response as a failure',
    needs: ['read'],
    async run(stage) {
      stage.on('read', { ...stage.route('read').answer, afterMs: 150 });
      await stage.client().call('read');
      sentTimes(stage, 'read', 1);
    },
  },
];
