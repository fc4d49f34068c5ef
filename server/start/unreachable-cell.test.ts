import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { move, OTHER, type TestCells, testCells } from '../../tests/kit/cells.ts';
import { emptyDatabase, type TestDatabase } from '../../tests/kit/database.ts';
import { cluster } from '../../tests/kit/export-records.ts';
import { onDatabase, serverProcesses } from '../../tests/kit/server-process.ts';
import { FragileLink } from '../../tests/kit/tcp-proxy.ts';
import { send, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';

const start = serverProcesses();

let databases: TestCells;
let empty: TestDatabase;
/** Creates tenants and projects. It runs no scans. */
let setup: TestServer;

beforeAll(async () => {
  [databases, empty] = [await testCells(), await emptyDatabase()];
  setup = await startTestServer({ database: databases.home, cells: databases.cells });
});

afterAll(async () => {
  await setup.close();
  await databases.drop();
  await empty.drop();
});

/** A route to the cluster that is cut, and the configuration of a cell through it. */
async function cutOff({ ownerUrl, appUrl, workerUrl }: TestDatabase) {
  const link = await FragileLink.to(ownerUrl);
  const { host } = new URL(link.url);
  await link.cut();
  const through = (url: string) => Object.assign(new URL(url), { host }).href;
  return {
    link,
    cell: { url: through(ownerUrl), appUrl: through(appUrl), workerUrl: through(workerUrl) },
  };
}

function environment(cells: object) {
  return {
    ...onDatabase(databases.home),
    DATABASE_CELLS: JSON.stringify(cells),
    APP_SECRET: 'a secret of 32 bytes or more for unreachable cells',
    LOG_LEVEL: 'warn',
  };
}

describe('a start while a cell is unreachable', () => {
  it('a server serves all other tenants, and those of the cell and their scans when it answers', async () => {
    const [here, there] = [await Analyst.at(setup), await Analyst.at(setup)];
    const project = await there.project([cluster('one', { legacyAbac: true })]);
    await move(databases, there.tenantId, OTHER);
    const { link, cell } = await cutOff(databases.other);
    const server = start(environment({ [OTHER]: cell }));
    const url = await server.url();
    await server.line(/DATABASE_CELLS: other cannot be reached; requests of tenants there get 503/);
    const at = ({ headers, tenantId }: Analyst) =>
      new Analyst({ call: (path, call) => send(url + path, call) }, headers, tenantId);
    await at(here).ask(200, '/projects');
    const refused = await at(there).ask(503, '/projects');
    expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await link.restore();
    await server.line(/DATABASE_CELLS: other has answered; its tenants are served/);
    expect(await at(there).scan([project])).toMatchObject({ status: 'completed' });
    await link.cut();
  });

  it('a cell that lacks the tables of the release gets them when it answers', async () => {
    const { link, cell } = await cutOff(empty);
    const known = { url: databases.other.ownerUrl };
    const server = start(environment({ [OTHER]: known, late: cell }));
    await server.url();
    await server.line(/DATABASE_CELLS: late cannot be reached/);
    await link.restore();
    await server.line(/DATABASE_CELLS: late has answered/);
    const { rows } = await empty.owner.query(
      "SELECT FROM pg_trigger WHERE tgname = 'cell_guard' LIMIT 1",
    );
    expect(rows).toHaveLength(1);
    await link.cut();
  });

  it('a server starts while the pooler of one role of a cell is unreachable', async () => {
    const { link, cell } = await cutOff(databases.other);
    const { ownerUrl: url, workerUrl } = databases.other;
    const server = start(environment({ [OTHER]: { url, appUrl: cell.appUrl, workerUrl } }));
    await server.url();
    await server.line(/other cannot be reached/);
    await link.restore();
    await server.line(/other has answered/);
    await link.cut();
  });

  it('a server whose cell has never answered stops on SIGTERM with exit code 0', async () => {
    const { cell } = await cutOff(databases.other);
    const server = start(environment({ [OTHER]: cell }));
    await server.url();
    await server.line(/other cannot be reached/);
    server.signal('SIGTERM');
    expect(await server.ended()).toMatchObject({ code: 0 });
  });

  it('a start with a cell that refuses its role fails with the setting of that cell', async () => {
    const refused = Object.assign(new URL(databases.other.ownerUrl), { username: 'nobody-else' });
    const server = start(environment({ [OTHER]: { url: refused.href } }));
    expect(await server.ended()).toMatchObject({ code: 1 });
    expect(server.output).toMatch(/DATABASE_CELLS\.other\.url: cannot connect/);
  });
});
