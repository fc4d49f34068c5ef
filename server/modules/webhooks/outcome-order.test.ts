import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { rowsOf, waitingFor } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { createLogger } from '../../platform/logger.ts';
import type { Outcome } from './delivery-queries.ts';
import { OutcomeWriter } from './outcome-writer.ts';

// A request that changes a webhook locks it and then its deliveries. Outcomes that came in another order deadlocked with it.

let server: TestServer;
let admin: Analyst;
let writer: OutcomeWriter;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  admin = await Analyst.at(server);
  const { tenants, mail, clock } = server.services;
  writer = new OutcomeWriter({ tenants, mail, clock, log: createLogger('silent') });
});

const rows = (sql: string, values: readonly unknown[]) =>
  rowsOf(server.database, admin.tenantId, sql, values);

const URL_OF_WEBHOOK = 'https://hooks.example.com/';
type Attempted = Pick<Outcome, 'webhookId' | 'deliveryId' | 'url'>;

/** A webhook whose attempts fail, with an event that waits for an attempt. */
async function failingWebhook(): Promise<Attempted> {
  const body = { url: URL_OF_WEBHOOK, events: ['scan.completed'] };
  const { id: webhookId } = await admin.ask(201, '/webhooks', { method: 'POST', body });
  const { id: deliveryId } = await admin.ask(202, `/webhooks/${webhookId}/test`, {
    method: 'POST',
  });
  await rows('UPDATE webhooks SET failing_since = now() WHERE id = $1', [webhookId]);
  return { webhookId, deliveryId, url: URL_OF_WEBHOOK };
}

/** The outcome that disables the webhook. */
function gone(of: Attempted): Outcome {
  const attempt = {
    at: server.clock.now().toISOString(),
    status: 410,
    milliseconds: 1,
    problem: null,
  };
  return { ...of, attemptsBefore: 0, status: 'failed', nextAttemptAt: null, attempt };
}

/** Records outcomes while another transaction has locked the first webhook. @returns which of these rows are free then. */
async function freeMeanwhile(
  outcomes: readonly Outcome[],
  table: string,
  id: string,
): Promise<unknown[]> {
  const { owner } = server.database;
  await owner.query('BEGIN');
  try {
    await rows('SELECT 1 FROM webhooks WHERE id = $1 FOR NO KEY UPDATE', [outcomes[0]?.webhookId]);
    const recorded = outcomes.map((outcome) => writer.record(admin.tenantId, outcome));
    await until('the outcomes to wait', async () => {
      const waiters = await waitingFor(server.database, 'true');
      return waiters.length === 1;
    });
    const free = await rows(`SELECT id FROM ${table} WHERE id = $1 FOR UPDATE SKIP LOCKED`, [id]);
    await owner.query('COMMIT');
    await Promise.all(recorded);
    return free;
  } finally {
    await owner.query('ROLLBACK');
  }
}

async function expectDisabled(webhookId: string): Promise<void> {
  expect(await admin.ask(200, `/webhooks/${webhookId}`)).toMatchObject({
    enabled: false,
    disabledReason: { code: 'GONE' },
  });
}

it('the outcome that disables a webhook locks it before its deliveries', async () => {
  const webhook = await failingWebhook();
  const { webhookId, deliveryId } = webhook;
  const free = await freeMeanwhile([gone(webhook)], 'webhook_deliveries', deliveryId);
  expect(free).toEqual([{ id: deliveryId }]);
  await expectDisabled(webhookId);
});

it('outcomes lock their webhooks in the order of the ids', async () => {
  const first = await failingWebhook();
  const second = await failingWebhook();
  // Both begin to fail. The row of the first one is behind the other now.
  const { owner } = server.database;
  for (const { webhookId } of [second, first]) {
    await rows('UPDATE webhooks SET failing_since = NULL WHERE id = $1', [webhookId]);
  }
  await owner.query('ANALYZE webhooks');
  const outcomes = [gone(first), gone(second)];
  const free = await freeMeanwhile(outcomes, 'webhooks', second.webhookId);
  expect(free).toEqual([{ id: second.webhookId }]);
  await expectDisabled(first.webhookId);
  await expectDisabled(second.webhookId);
});

it('status 410 of a former URL neither disables the webhook nor ends the event, which the new URL gets', async () => {
  const webhook = await failingWebhook();
  const content = { events: ['scan.completed'], description: '', enabled: true };
  const body = { url: 'https://new.example.com/', ...content };
  const path = `/webhooks/${webhook.webhookId}`;
  await admin.ask(200, path, { method: 'PUT', body });
  await writer.record(admin.tenantId, gone(webhook));
  expect(await admin.ask(200, path)).toMatchObject({ enabled: true, disabledReason: null });
  const { items } = await admin.ask(200, `${path}/deliveries`);
  expect(items).toMatchObject([
    { status: 'pending', nextAttemptAt: expect.any(String), attempts: [{ status: 410 }] },
  ]);
});
