import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket } from '../../../tests/kit/export-records.ts';
import { FakeGoogle } from '../../../tests/kit/google/fake-google.ts';
import { rowsOf, waitingFor } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { createLogger } from '../../platform/logger.ts';
import { PackingProcesses } from '../inventories/index.ts';
import { insertPull } from './pull-queries.ts';
import { PullTask } from './pull-task.ts';
import { deleteSource, findProjectId, findSource, lockProject, putSource } from './queries.ts';

const PARENT = 'projects/shop-prod';
const OTHER_PARENT = 'projects/shop-test';

let google: FakeGoogle;
let server: TestServer;
let person: Analyst;
let project: string;
let task: PullTask;

beforeAll(async () => {
  google = await FakeGoogle.start();
  for (const parent of [PARENT, OTHER_PARENT]) {
    google.inventory.serve(parent, [JSON.stringify(bucket('b'))]);
  }
  server = await startTestServer({ googleCloud: google });
  const { tenants, clock, sources } = server.services;
  const inventories = { maxBytes: 1024 ** 2, kept: 2, packing: new PackingProcesses() };
  const services = { tenants, clock, google: sources.google, inventories };
  task = new PullTask(services, createLogger('silent'));
});

afterAll(async () => {
  await server.close();
  await google.close();
});

beforeEach(async () => {
  google.requests.length = 0;
  person = await Analyst.at(server);
  project = await person.project();
  await attach(201, PARENT);
});

const attach = (status: number, parent: string) => {
  const credential = { type: 'service_account_key', key: google.viewer(parent) };
  const body = { kind: 'google-cloud', parent, credential };
  return person.ask(status, `/projects/${project}/source`, { method: 'PUT', body });
};
const detach = () => person.ask(204, `/projects/${project}/source`, { method: 'DELETE' });

/** Queues a pull as a schedule does, without the lock of a request. @param before runs before the commit. */
function queued(before: () => Promise<unknown>): Promise<string> {
  return server.services.tenants.write(person.tenantId, async (db) => {
    const projectId = (await findProjectId(db, project)) ?? '';
    const by = { kind: 'schedule', id: null, label: 'nightly' };
    const id = await insertPull(db, projectId, by, server.services.clock.now());
    if (id === null) throw new Error('There is no source');
    await before();
    return id;
  });
}

const runTurn = (pullId: string, turn = 0) =>
  task.work(
    { tenantId: person.tenantId, pullId, turn },
    { isLast: false, isStopping: () => false },
  );
const seen = (pullId: string) => person.ask(200, `/projects/${project}/inventory/pulls/${pullId}`);
const inventory = async () => (await person.ask(200, `/projects/${project}`)).inventory;

const CHANGED = { status: 'failed', problemCode: 'source_changed' };
const WAYS = [
  ['deleted', 'was deleted', detach],
  ['replaced by one with another parent', 'was replaced', () => attach(200, OTHER_PARENT)],
] as const;

describe('a pull whose source changes before the pull is committed', () => {
  it.each(WAYS)(
    'a pull fails without a request to Google when its source was %s before its commit',
    async (_, words, change) => {
      const pullId = await queued(change);
      expect(await seen(pullId)).toMatchObject({ status: 'queued' });
      await runTurn(pullId);
      const pull = await seen(pullId);
      expect(pull).toMatchObject({ ...CHANGED, problem: expect.stringContaining(words) });
      expect(google.requests).toEqual([]);
      expect(await inventory()).toBeNull();
      // As for a pull that the request itself fails.
      const audit = "SELECT 1 FROM audit_events WHERE action = 'source.failed'";
      expect(await rowsOf(server.database, person.tenantId, audit)).toEqual([]);
    },
  );

  it('a project accepts another pull after a source with another parent has failed one', async () => {
    await runTurn(await queued(() => attach(200, OTHER_PARENT)));
    const path = `/projects/${project}/inventory/pull`;
    const { id } = await person.ask(202, path, { method: 'POST' });
    await runTurn(id);
    expect(await seen(id)).toMatchObject({ status: 'completed', parent: OTHER_PARENT });
  });

  it('a pull completes when its source was replaced by one with the same parent before its commit', async () => {
    const pullId = await queued(() => attach(200, PARENT));
    await runTurn(pullId);
    expect(await seen(pullId)).toMatchObject({ status: 'completed', parent: PARENT });
  });

  it.each(['deleted', 'replaced'])(
    'a pull that has read all pages does not change the inventory when its source is %s at that moment',
    async (way) => {
      const { tenants } = server.services;
      let turn: Promise<void> = Promise.resolve();
      const pullId = await tenants.write(person.tenantId, async (db) => {
        const projectId = (await lockProject(db, project)) ?? '';
        const source = await findSource(db, projectId);
        if (source === null) throw new Error('There is no source');
        // The pull still sees the previous source, because this transaction is not committed.
        const id = await queued(async () => undefined);
        if (way === 'deleted') await deleteSource(db, projectId);
        else {
          const credential = Buffer.from(source.credential ?? '');
          await putSource(db, { ...source, credential, parent: OTHER_PARENT });
        }
        turn = runTurn(id);
        const blocked = () => waitingFor(server.database, "l.locktype = 'transactionid'");
        await until('the pull to wait for this one', async () => (await blocked()).length > 0);
        return id;
      });
      await turn;
      expect(await seen(pullId)).toMatchObject(CHANGED);
      expect(await inventory()).toBeNull();
    },
  );
});

it('a pull fails when its source is deleted between two turns, and its next turn does nothing', async () => {
  // The turn ends before the first page, because Google does not answer.
  google.misbehave = () => 'cut';
  onTestFinished(() => {
    google.misbehave = null;
  });
  const pullId = await queued(async () => undefined);
  await runTurn(pullId);
  google.misbehave = null;
  expect(await seen(pullId)).toMatchObject({ status: 'running' });
  await detach();
  google.requests.length = 0;
  await runTurn(pullId, 1);
  expect(await seen(pullId)).toMatchObject(CHANGED);
  expect(google.requests).toEqual([]);
});
