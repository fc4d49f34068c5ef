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
const KILLS = 4;
const ANSWERING = 40;
const HANGING = 10;
/** 10,000 deliveries in all. */
const EVENTS = 200;

let server: TestServer;
let answering: WebhookReceiver;
let hanging: WebhookReceiver;

beforeAll(async () => {
  server = await startTestServer();
  answering = await WebhookReceiver.start();
  hanging = await WebhookReceiver.start();
  hanging.reaction = () => undefined;
});

afterAll(async () => {
  await Promise.all([answering.close(), hanging.close()]);
  await server.close();
});

/** A server that also delivers events. */
async function started(): Promise<ServerProcess> {
  const begun = start({ ...onDatabase(server.database), APP_SECRET: TEST_APP_SECRET });
  await begun.line(/Serving on/);
  return begun;
}

it('10,000 events reach all 40 working receivers while 10 hang and servers are killed, and repeated events keep their webhook-id', async () => {
  const admin = await Analyst.at(server);
  const subscribe = (url: string) =>
    admin.ask(201, '/webhooks', { method: 'POST', body: { url, events: ['source.failed'] } });
  for (let n = 0; n < ANSWERING; n += 1) await subscribe(`${answering.url}/${n}`);
  for (let n = 0; n < HANGING; n += 1) await subscribe(`${hanging.url}/${n}`);
  const { owner } = server.database;
  const { tenants, clock } = server.services;
  const running = await Promise.all(Array.from({ length: PROCESSES }, started));
  const sent = new Set<string>();
  const queued = (async () => {
    for (let n = 0; n < EVENTS; n += 1) {
      const event = { project: 'p', pullId: newId(), problem: 'p' };
      await tenants.write(admin.tenantId, (db) =>
        queueEvent(db, 'source.failed', clock.now(), event),
      );
      sent.add(event.pullId);
    }
  })();
  const expected = EVENTS * ANSWERING;
  const arrived = new Map<string, Set<unknown>>();
  let read = 0;
  const arrivals = () => {
    for (const { path, body, headers } of answering.received.slice(read)) {
      read += 1;
      const key = `${path} ${JSON.parse(body).data.pullId}`;
      arrived.set(key, (arrived.get(key) ?? new Set()).add(headers['webhook-id']));
    }
    return arrived.size;
  };
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const enough = (expected * kill) / (KILLS + 1);
    await until(`${enough} events`, async () => arrivals() >= enough);
    await running.shift()?.kill();
    running.push(await started());
  }
  await queued;
  await until('all events of receivers that answer', async () => arrivals() === expected);
  expect(sent.size).toBe(EVENTS);
  const idsOf = new Map<string, unknown>();
  for (const [key, ids] of arrived) {
    expect(ids.size).toBe(1);
    const [id] = ids;
    const pullId = key.split(' ')[1] ?? '';
    expect(idsOf.get(pullId) ?? id).toBe(id);
    idsOf.set(pullId, id);
  }
  expect(new Set(idsOf.keys())).toEqual(sent);
  await owner.query("SELECT set_config('app.tenant_id', $1, false)", [admin.tenantId]);
  const counts = async () =>
    Object.fromEntries(
      (
        await owner.query(
          'SELECT status, count(*)::int AS count FROM webhook_deliveries GROUP BY status',
        )
      ).rows.map(({ status, count }) => [status, count]),
    );
  await until('their outcomes', async () => (await counts()).delivered === expected);
  // Those that hang have had attempts, and keep their events.
  expect(hanging.received.length).toBeGreaterThanOrEqual(HANGING);
  expect(await counts()).toEqual({ delivered: expected, pending: EVENTS * HANGING });
}, 900_000);
