import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { deleteTenantOf, type TestCells, testCells } from '../../tests/kit/cells.ts';
import { forOperator } from '../../tests/kit/server-process.ts';
import { startTestServer, TEST_APP_SECRET, type TestServer } from '../../tests/kit/test-server.ts';
import { runAdmin } from './run.ts';

/** Nothing listens there. */
const NOWHERE = 'postgres://u:secret-word@127.0.0.1:1/x';

let databases: TestCells;
let server: TestServer;

beforeAll(async () => {
  databases = await testCells();
  server = await startTestServer({ database: databases.home });
});

afterAll(async () => {
  await server.close();
  await databases.drop();
});

async function tenantWithWebhook(): Promise<string> {
  const analyst = await Analyst.at(server);
  await analyst.ask(201, '/webhooks', {
    method: 'POST',
    body: { url: 'http://127.0.0.1:49999/hook', events: ['scan.completed'] },
  });
  return analyst.tenantId;
}

async function reseal(cells: object) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const environment = {
    ...forOperator(databases.home),
    DATABASE_CELLS: JSON.stringify(cells),
    APP_SECRET: `the next secret of the application that is long,${TEST_APP_SECRET}`,
  };
  const code = await runAdmin(['reseal'], environment, { out, err });
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
}

it('npm run admin -- reseal re-encrypts the secrets of all tenants besides those that it cannot read, and names these', async () => {
  const { owner } = databases.home;
  const tenants = [
    await tenantWithWebhook(),
    await tenantWithWebhook(),
    await tenantWithWebhook(),
    await tenantWithWebhook(),
  ].sort();
  // The last one is read after those that cannot be.
  const [away = '', alsoAway = '', deleted = ''] = tenants;
  const { rows } = await owner.query<{ name: string }>(
    'SELECT name FROM identity.tenants WHERE id = $1',
    [deleted],
  );
  const single = { home: databases.home, cells: [] };
  const killed = deleteTenantOf(single, deleted, rows[0]?.name ?? '', (line) => {
    if (line.startsWith('Ended all')) throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
  for (const id of [away, alsoAway]) {
    await owner.query("INSERT INTO cells.placements (tenant_id, cell) VALUES ($1, 'away')", [id]);
  }

  const { code, out, err } = await reseal({ away: { url: NOWHERE } });
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('Not read') });
  expect(out).toContain('Re-encrypted 1 signing secrets of webhooks; 1 of 1 now use');
  const names = /Not read: the signing secrets of webhooks .*then repeat: (.*)\.\n/.exec(err)?.[1];
  expect(names?.split(', ')).toEqual([away, alsoAway, deleted]);
  expect(err).not.toContain('secret-word');
});
