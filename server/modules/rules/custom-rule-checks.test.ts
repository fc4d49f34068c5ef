import type { CustomRuleDefinition } from '@cspm/scanner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { systemClock } from '../../platform/clock.ts';
import { CustomRuleChecks } from './custom-rule-checks.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function licensed(): Promise<Analyst> {
  return Analyst.at(server, { tenant: await server.people.tenant(['custom_rules']) });
}

const BUCKET = 'storage.googleapis.com/Bucket';
const RULE = { title: 'Any bucket', severity: 'low', assetTypes: [BUCKET], predicate: 'true' };
const create = (analyst: Analyst, body: unknown, headers: Record<string, string> = {}) =>
  analyst.call('/custom-rules', { method: 'POST', body, headers });

/** A rule whose tests take several seconds, each less than the limit of an evaluation. It is refused afterwards. */
function slow() {
  const list = JSON.stringify(Array.from({ length: 8 }, (_, index) => index));
  const predicate = ['a', 'b', 'c', 'd', 'e', 'f'].reduceRight(
    (inner, name) => `${list}.all(${name}, ${inner})`,
    'a >= 0',
  );
  const asset = { name: '//storage.googleapis.com/b', asset_type: BUCKET, resource: { data: {} } };
  const tests = Array.from({ length: 20 }, () => ({ asset, verdict: 'fail' }));
  return { ...RULE, predicate, tests };
}

/** Keeps two checks of a tenant in flight until it is stopped. */
class Flood {
  readonly #analyst: Analyst;
  readonly #loops: Promise<void>[] = [];
  #isOver = false;

  constructor(analyst: Analyst) {
    this.#analyst = analyst;
  }

  async start(): Promise<void> {
    this.#loops.push(this.#loop(), this.#loop());
    await until('two checks in flight', async () => {
      const { status, json } = await create(this.#analyst, RULE);
      return status === 503 && json.detail.startsWith('Too many');
    });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async #loop(): Promise<void> {
    while (!this.#isOver) await create(this.#analyst, slow());
  }
}

describe('the checks of custom rules', () => {
  it('a check of a custom rule holds no transaction while it runs or waits', async () => {
    const flood = new Flood(await licensed());
    try {
      await flood.start();
      const { rows } = await server.database.owner.query(
        `SELECT query FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle in transaction'`,
      );
      expect(rows).toEqual([]);
    } finally {
      await flood.stop();
    }
  }, 120_000);

  it('the stored response for a custom rule is returned while no further rule can be checked', async () => {
    const analyst = await licensed();
    const key = { 'idempotency-key': 'k' };
    const first = await create(analyst, { ...RULE, title: 'Created once' }, key);
    expect(first.status).toBe(201);
    const flood = new Flood(analyst);
    try {
      await flood.start();
      const again = await create(analyst, { ...RULE, title: 'Created once' }, key);
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    } finally {
      await flood.stop();
    }
  }, 120_000);

  it('a waiting tenant stops the older of two long checks, and not the other one', async () => {
    const checks = new CustomRuleChecks(systemClock);
    const rule: CustomRuleDefinition = {
      ...{ id: 'any-bucket', version: 1, title: 'Any bucket', description: '', recommendation: '' },
      ...{ severity: 'low', assetTypes: [BUCKET], predicate: 'true' },
    };
    const stopped = new Map<string, () => boolean>();
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const hold = async (tenantId: string) => {
      await checks.check(tenantId, rule, [], async ({ evaluator, isStopped }) => {
        stopped.set(tenantId, isStopped);
        await Promise.race([ended, until('it is stopped', async () => isStopped())]);
        await evaluator.evaluate([{ type: BUCKET, text: '{}' }]);
      });
    };
    const refused = hold('older').catch((error: unknown) => error);
    await until('the older check runs', async () => stopped.has('older'));
    const newer = hold('newer');
    await until('the newer check runs', async () => stopped.has('newer'));
    // Timers of one process fire in the order of their times, so both checks have run long enough by then.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await checks.check('waiting', rule, [], async () => undefined);
    expect([...stopped].map(([tenantId, isStopped]) => [tenantId, isStopped()])).toEqual([
      ['older', true],
      ['newer', false],
    ]);
    end();
    await newer;
    await expect(refused).resolves.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/longer than 2 s while other tenants waited/),
    });
    await checks.close();
  });

  it('a tenant saves its custom rules while two others keep two slow checks in flight each', async () => {
    const third = await licensed();
    const floods = [new Flood(await licensed()), new Flood(await licensed())];
    try {
      await Promise.all(floods.map((flood) => flood.start()));
      for (let saved = 0; saved < 2; saved += 1) {
        const reply = await create(third, { ...RULE, title: `Rule ${saved}` });
        expect(reply.status, JSON.stringify(reply.json)).toBe(201);
      }
    } finally {
      await Promise.all(floods.map((flood) => flood.stop()));
    }
  }, 120_000);
});
