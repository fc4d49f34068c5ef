import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import {
  onDatabase,
  type ServerProcess,
  serverProcesses,
} from '../../../tests/kit/server-process.ts';
import {
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';
import { newId } from '../../platform/ids.ts';
import { queueEvent } from './events.ts';

const start = serverProcesses();
const PROCESSES = 2;
const WEBHOOKS = 4;
const ROUNDS = 3;
/** More than the leases of one webhook, so that each round has events in progress and waiting ones. */
const EVENTS = 6;

let server: TestServer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  server = await startTestServer();
  receiver = await WebhookReceiver.start();
});

afterAll(async () => {
  await receiver.close();
  await server.close();
});

/** A server that also delivers events. */
async function started(): Promise<ServerProcess> {
  const begun = start({ ...onDatabase(server.database), APP_SECRET: TEST_APP_SECRET });
  await begun.line(/Serving on/);
  return begun;
}

async function subscribe(admin: Analyst): Promise<void> {
  const body = { url: receiver.url, events: ['source.failed'] };
  for (let n = 0; n < WEBHOOKS; n += 1) await admin.ask(201, '/webhooks', { method: 'POST', body });
}

it('every event is delivered although servers and workers are killed, and a repeated event keeps its webhook-id', async () => {
  const admin = await Analyst.at(server);
  await subscribe(admin);
  const { owner } = server.database;
  const { tenants, clock } = server.services;
  const sent = new Set<string>();
  const held: ServerResponse[] = [];
  const answer = (response: ServerResponse) => response.writeHead(204).end();
  /** Queues events, and waits until attempts are in progress, which the receiver does not answer. */
  const inProgress = async () => {
    receiver.reaction = (response) => held.push(response);
    const before = held.length;
    for (let n = 0; n < EVENTS; n += 1) {
      const event = { project: 'p', pullId: newId(), problem: 'p' };
      sent.add(event.pullId);
      await tenants.write(admin.tenantId, (db) =>
        queueEvent(db, 'source.failed', clock.now(), event),
      );
    }
    await until('attempts in progress', async () => held.length > before);
  };
  /** Answers the held requests and all later ones, so that no event fails and waits for its next attempt. */
  const goOn = () => {
    receiver.reaction = answer;
    for (const response of held.splice(0)) answer(response);
  };
  const running = await Promise.all(Array.from({ length: PROCESSES }, started));
  for (let round = 1; round <= ROUNDS; round += 1) {
    await inProgress();
    await running.shift()?.kill();
    goOn();
    running.push(await started());
  }
  // Kills all workers at once at the end, so that some attempts are certainly repeated.
  await inProgress();
  await Promise.all(running.map((one) => one.kill()));
  goOn();
  await started();
  await until('the end of all deliveries', async () => {
    return (await owner.query('SELECT 1 FROM jobs.webhook_dues LIMIT 1')).rows.length === 0;
  });
  const idsOf = new Map<string, Set<unknown>>();
  for (const { body, headers } of receiver.received) {
    const { pullId } = JSON.parse(body).data;
    idsOf.set(pullId, (idsOf.get(pullId) ?? new Set()).add(headers['webhook-id']));
  }
  expect(new Set(idsOf.keys())).toEqual(sent);
  for (const ids of idsOf.values()) expect(ids.size).toBe(1);
  const deliveries = sent.size * WEBHOOKS;
  expect(receiver.received.length).toBeGreaterThan(deliveries);
  await owner.query("SELECT set_config('app.tenant_id', $1, false)", [admin.tenantId]);
  const { rows } = await owner.query(
    'SELECT status, count(*)::int AS count FROM webhook_deliveries GROUP BY status',
  );
  expect(rows).toEqual([{ status: 'delivered', count: deliveries }]);
}, 600_000);
