import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { deleteTenantOf, move, OTHER, type TestCells, testCells } from '../../tests/kit/cells.ts';
import { cluster } from '../../tests/kit/export-records.ts';
import { waitingFor } from '../../tests/kit/owner-queries.ts';
import { FragileLink } from '../../tests/kit/tcp-proxy.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

let databases: TestCells;
let server: TestServer;
let link: FragileLink;
let analyst: Analyst;

beforeAll(async () => {
  databases = await testCells();
  server = await startTestServer({ database: databases.home, cells: databases.cells });
  link = await FragileLink.to(databases.other.ownerUrl);
});

afterAll(async () => {
  await link.cut();
  await server.close();
  await databases.drop();
});

beforeEach(async () => {
  analyst = await Analyst.at(server);
  await analyst.project([cluster('one', { legacyAbac: true })]);
});

afterEach(() => link.thaw());

/** The databases as the operator reaches them: the cell over a network that a test can freeze. */
const reached = () => ({
  home: databases.home,
  cells: [{ ...databases.cells[0], ownerUrl: link.url }],
});

/** Freezes the network to the cell at this line of the output. */
const freezeAt = (expected: string) => (line: string) => {
  if (line === expected) link.freeze();
};

const answerWithinMs = 500;

it('a move fails with the address of a database that stops answering, and the same command continues it', async () => {
  const begun = move(reached(), analyst.tenantId, OTHER, { answerWithinMs }, freezeAt('Fencing'));
  const { host } = new URL(link.url);
  await expect(begun).rejects.toThrow(
    `A database is unreachable: ${host} did not answer within 0.5 s. Repeat the command when it answers again: the move continues.`,
  );
  link.thaw();
  const lines = await move(reached(), analyst.tenantId, OTHER);
  expect(lines.at(-1)).toBe(`Tenant ${analyst.tenantId} was moved from home to ${OTHER}.`);
  expect((await analyst.ask(200, '/projects')).items).toHaveLength(1);
});

it('a deletion fails with the address of a database that stops answering, and the same command continues it', async () => {
  const { rows } = await databases.home.owner.query<{ name: string }>(
    'SELECT name FROM identity.tenants WHERE id = $1',
    [analyst.tenantId],
  );
  const name = rows[0]?.name ?? '';
  const freeze = freezeAt('Ended all sessions and API keys; writes are refused');
  const flags = { answerWithinMs };
  const begun = deleteTenantOf(reached(), analyst.tenantId, name, freeze, flags);
  const { host } = new URL(link.url);
  await expect(begun).rejects.toThrow(
    `A database is unreachable: ${host} did not answer within 0.5 s. Repeat the command: the deletion continues.`,
  );
  link.thaw();
  const lines = await deleteTenantOf(reached(), analyst.tenantId, name);
  expect(lines.at(-1)).toContain(`Deleted tenant ${analyst.tenantId}`);
});

it('a move goes on while a statement waits for a lock of a database that still answers', async () => {
  const { owner } = databases.other;
  const lock = async (line: string) => {
    if (line !== 'Noting changes') return;
    await owner.query('BEGIN; LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
  };
  const moving = move(reached(), analyst.tenantId, OTHER, { answerWithinMs }, lock);
  const ended = moving.catch(() => undefined);
  await until('the move to wait for the table', async () => {
    return (await waitingFor(databases.other, "l.locktype = 'relation'")).length > 0;
  });
  // A second one is opened only if the first was answered and the statement still waits.
  const accepted = link.accepted;
  await until('two checks whether the database answers', async () => link.accepted >= accepted + 2);
  await owner.query('COMMIT');
  await ended;
  expect((await moving).at(-1)).toContain('was moved');
});
