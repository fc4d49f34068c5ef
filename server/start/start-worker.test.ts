import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { WebhookReceiver } from '../../tests/kit/webhook-receiver.ts';
import { Sender } from '../modules/webhooks/sender.ts';
import { startWorker } from './start-worker.ts';

let server: TestServer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  server = await startTestServer();
  receiver = await WebhookReceiver.start();
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  await receiver.close();
  await server.close();
});

it('a worker that stops closes the connections to the receivers of webhooks, after its last delivery', async () => {
  const close = vi.spyOn(Sender.prototype, 'close');
  const { database, services } = server;
  const worker = await startWorker({
    ...{ databaseUrl: database.workerUrl, log: services.log, clock: server.clock },
    webhooks: {
      ...{ databaseUrl: database.appUrl, mail: services.mail, config: services.webhooks },
    },
  });
  let answer: () => void = () => undefined;
  receiver.reaction = (response) => {
    answer = () => response.writeHead(204).end();
  };
  const admin = await Analyst.at(server);
  const body = { url: receiver.url, events: ['scan.completed'] };
  const { id } = await admin.ask(201, '/webhooks', { method: 'POST', body });
  await admin.ask(202, `/webhooks/${id}/test`, { method: 'POST' });
  await until('the delivery', async () => receiver.received.length === 1);
  const stopped = worker.stop();
  expect(close).not.toHaveBeenCalled();
  answer();
  await stopped;
  expect(close).toHaveBeenCalledOnce();
  const { items } = await admin.ask(200, `/webhooks/${id}/deliveries`);
  expect(items).toMatchObject([{ status: 'delivered' }]);
  await worker.stop();
  expect(close).toHaveBeenCalledOnce();
});
