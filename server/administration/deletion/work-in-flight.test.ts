import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { deleteTenantOf } from '../../../tests/kit/cells.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { googleError } from '../../../tests/kit/google/answer.ts';
import { FakeGoogle } from '../../../tests/kit/google/fake-google.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { tablesWithRows } from '../../../tests/kit/tenant-rows.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';

const PARENT = 'projects/shop-prod';
const SAMPLE = new URL('../../../samples/shop-prod.ndjson', import.meta.url);

let google: FakeGoogle;
let receiver: WebhookReceiver;
let database: TestDatabase;
let server: TestServer;
let admin: TestUser;
let analyst: Analyst;
const log: { level: string; msg: string }[] = [];

beforeAll(async () => {
  google = await FakeGoogle.start();
  await google.serveFile(PARENT, SAMPLE);
  receiver = await WebhookReceiver.start();
  database = await cloneDatabase();
});

afterAll(async () => {
  await database.drop();
  await receiver.close();
  await google.close();
});

beforeEach(async () => {
  log.length = 0;
  google.requests.length = 0;
  receiver.received.length = 0;
  server = await startTestServer({
    database,
    googleCloud: google,
    worker: true,
    log: { write: (line: string) => void log.push(JSON.parse(line)) },
  });
  admin = await server.people.user();
  analyst = new Analyst(server, admin.key, admin.tenant.id);
});

/** Deletes the tenant. The work goes on when its writes are refused, or when the tenant is gone. */
async function deleteWhile(
  moment: 'during' | 'after',
  goOn: () => void,
  refused: RegExp,
): Promise<void> {
  const { tenant } = admin;
  if (moment === 'during') {
    const killed = deleteTenantOf({ home: database, cells: [] }, tenant.id, tenant.name, (line) => {
      if (line.startsWith('Ended all')) throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    goOn();
    await until('a refusal', async () => log.some(({ msg }) => refused.test(msg)));
  }
  await deleteTenantOf({ home: database, cells: [] }, tenant.id, tenant.name);
  if (moment === 'after') goOn();
  // Waits for the work in progress.
  await server.close();
}

const errors = () =>
  log.filter(({ level }) => level === 'error' || level === 'fatal').map(({ msg }) => msg);

/** Something that happens later. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

let accounts = 0;

async function pull(): Promise<void> {
  accounts += 1;
  const key = google.viewer(PARENT, `scanner@deletion-${accounts}.iam.gserviceaccount.com`);
  const project = await analyst.project();
  const credential = { type: 'service_account_key', key };
  const body = { kind: 'google-cloud', parent: PARENT, credential };
  await analyst.ask(201, `/projects/${project}/source`, { method: 'PUT', body });
  await analyst.ask(202, `/projects/${project}/inventory/pull`, { method: 'POST' });
}

const DENIED = googleError(403, 'PERMISSION_DENIED', 'No.');

it.each([
  ['its first page during', 'during', null],
  ['its first page after', 'after', null],
  ['a refusal of Google during', 'during', DENIED],
  ['a refusal of Google after', 'after', DENIED],
] as const)(
  'a pull that receives %s the deletion of its tenant leaves no row and logs no error',
  async (_what, moment, answer) => {
    const { open, opened } = gate();
    google.misbehave = async ({ path }) => {
      if (!path.endsWith('/assets')) return null;
      await opened;
      return answer;
    };
    await pull();
    await until('a request to Google', async () => google.lists.length > 0);
    await deleteWhile(moment, open, /^Failed task/);
    expect(await tablesWithRows(database, admin.tenant.id)).toEqual([]);
    expect(errors()).toEqual([]);
  },
);

it.each([
  [204, 'during'],
  [204, 'after'],
  [500, 'during'],
  [410, 'during'],
  [410, 'after'],
] as const)(
  'a delivery that is answered with %i %s the deletion of its tenant leaves no row and logs no error',
  async (status, moment) => {
    const { open, opened } = gate();
    receiver.reaction = (response) => {
      void opened.then(() => response.writeHead(status).end());
    };
    const body = { url: receiver.url, events: ['scan.completed'] };
    const { id } = await analyst.ask(201, '/webhooks', { method: 'POST', body });
    await analyst.ask(202, `/webhooks/${id}/test`, { method: 'POST' });
    await until('the delivery', async () => receiver.received.length > 0);
    await deleteWhile(moment, open, /^Failed to record deliveries/);
    expect(await tablesWithRows(database, admin.tenant.id)).toEqual([]);
    expect(errors()).toEqual([]);
  },
);
