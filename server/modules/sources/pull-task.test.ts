import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { manyClusters, ndjson } from '../../../tests/kit/export-records.ts';
import { FakeGoogle } from '../../../tests/kit/google/fake-google.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { createLogger } from '../../platform/logger.ts';
import { PackingProcesses } from '../inventories/index.ts';
import { PackingFailed } from '../inventories/packing-process.ts';
import { PullTask } from './pull-task.ts';

const PARENT = 'projects/shop-prod';

class NoProcesses extends PackingProcesses {
  override pack(): never {
    throw new PackingFailed('No process can be started');
  }
}

let google: FakeGoogle;
let server: TestServer;

beforeAll(async () => {
  google = await FakeGoogle.start();
  // More than the server packs itself.
  google.inventory.serve(PARENT, ndjson(manyClusters(130, 40_000)).split('\n'));
  server = await startTestServer({ googleCloud: google });
});

afterAll(async () => {
  await server.close();
  await google.close();
});

it('a pull whose inventory the server cannot pack is tried again, and at last fails with that reason', async () => {
  const person = await Analyst.at(server);
  const project = await person.project();
  const credential = { type: 'service_account_key', key: google.viewer(PARENT) };
  const body = { kind: 'google-cloud', parent: PARENT, credential };
  await person.ask(201, `/projects/${project}/source`, { method: 'PUT', body });
  const { id } = await person.ask(202, `/projects/${project}/inventory/pull`, { method: 'POST' });
  const seen = () => person.ask(200, `/projects/${project}/inventory/pulls/${id}`);

  const { tenants, clock, sources } = server.services;
  const inventories = { maxBytes: 1024 ** 3, kept: 2, packing: new NoProcesses() };
  const services = { tenants, clock, google: sources.google, inventories };
  const task = new PullTask(services, createLogger('silent'));
  const job = { tenantId: person.tenantId, pullId: id, turn: 0 };
  const attempt = (isLast: boolean) => task.work(job, { isLast, isStopping: () => false });

  await expect(attempt(false)).rejects.toThrow(PackingFailed);
  expect((await seen()).status).toBe('running');
  await attempt(true);
  expect(await seen()).toMatchObject({
    status: 'failed',
    problemCode: 'no_capacity',
    problem: expect.stringContaining('start another pull later'),
  });
});
