import type { Case } from '../case.ts';
import { check } from '../check.ts';
import { everyFirst, pairs } from '../crowd.ts';
import { type Step, startServer } from '../server.ts';
import type { Stage } from '../stage.ts';
import type { Client } from '../subject.ts';

/** Number of failing calls in cases about the total load. */
const CALLS = 150;

/** Number of failing calls that spends the budget. */
const SPENDING = 40;

/** Limits on the load that retries cause. */
export const budget: readonly Case[] = [
  bounded('503', { status: 503 }, 190),
  bounded('reset', 'reset', 190),
  bounded('429', { status: 429 }, 255),
  {
    id: '5.earns-back',
    line: 5,
    crowd: true,
    title: 'regains at least one retry, but only a few, after a hundred successes',
    needs: ['read'],
    async run(stage) {
      const client = stage.client();
      stage.on('read', 503);
      await repeat(client, SPENDING);
      stage.on('read', 'ok');
      await repeat(client, 100);
      stage.on('read', 503);
      const before = stage.sent('read').length;
      await repeat(client, 20);
      const retries = stage.sent('read').length - before - 20;
      check(retries >= 1 && retries <= 8, `${retries} retries`);
    },
  },
  {
    id: '5.refund',
    line: 5,
    crowd: true,
    title: 'pays nothing for successful retries',
    needs: ['read'],
    async run(stage) {
      // Each round uses most of the budget.
      for (let round = 0; round < 2; round += 1) {
        pairs(await everyFirst(stage, 30, { status: 503 }));
      }
    },
  },
  {
    id: '5.shared',
    line: 5,
    crowd: true,
    title: 'shares its budget with all clients of its origin and credential',
    needs: ['read'],
    async run(stage) {
      stage.on('read', 503);
      await repeat(stage.client(), SPENDING);
      check(stage.sent('read').length > SPENDING, 'none was retried');
      check((await requestsOf(stage, stage.client())) === 1, 'another client could retry');
    },
  },
  apart('5.apart', 'does not use the budget of another credential'),
  apart(
    '5.apart-supplied',
    'does not use the budget of another credential that a function supplies',
    'supplied',
  ),
  apart('5.apart-stored', 'does not use the budget of another stored session', 'stored'),
  {
    id: '5.apart-origin',
    line: 5,
    crowd: true,
    title: 'does not use the budget of another origin',
    needs: ['read'],
    async run(stage) {
      stage.on('read', 503);
      await repeat(stage.client(), SPENDING);
      const elsewhere = await startServer(stage.clock);
      try {
        elsewhere.on(stage.route('read').at, { status: 503 });
        await repeat(stage.client({ baseUrl: elsewhere.url }), 1);
        check(elsewhere.requests.length === 3, `${elsewhere.requests.length} requests elsewhere`);
      } finally {
        await elsewhere.close();
      }
    },
  },
];

function bounded(name: string, step: Step, most: number): Case {
  return {
    id: `5.${name}`,
    line: 5,
    crowd: true,
    ...(name === '503' && { goal: 'requests per always-failing call' }),
    title: `sends at most ${most} requests for ${CALLS} calls that always end in ${name}`,
    needs: ['read'],
    async run(stage) {
      let requests = 0;
      let stop = () => {};
      // Stop once the limit is exceeded.
      const tooMany = new Promise<void>((resolve) => {
        stop = resolve;
      });
      stage.on('read', () => {
        requests += 1;
        if (requests > most) stop();
        return step;
      });
      await Promise.race([repeat(stage.client(), CALLS), tooMany]);
      check(requests > CALLS, `${requests} requests: none was retried`);
      check(requests <= most, `more than ${most} requests`);
    },
  };
}

function apart(id: string, title: string, source?: 'supplied' | 'stored'): Case {
  return {
    id,
    line: 5,
    crowd: true,
    title,
    needs: source ? ['read', source] : ['read'],
    async run(stage) {
      stage.on('read', 503);
      await repeat(stage.client({ source }), SPENDING);
      const other = stage.client({ source, credential: 'cspm_somebody_else' });
      const requests = await requestsOf(stage, other);
      check(requests === 3, `${requests} requests under another credential`);
    },
  };
}

async function repeat(client: Client, calls: number): Promise<void> {
  await Promise.allSettled(Array.from({ length: calls }, () => client.call('read')));
}

async function requestsOf(stage: Stage, client: Client): Promise<number> {
  const before = stage.sent('read').length;
  await repeat(client, 1);
  return stage.sent('read').length - before;
}
