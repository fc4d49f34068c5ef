import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Analyst } from '../testing/analyst.ts';
import { countsOf, rowsOf } from '../testing/behind-the-scenes.ts';
import { cluster, gzipped, manyClusters, ndjson } from '../testing/export-records.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';

let server: TestServer;
let analyst: Analyst;
/** Where this file's process keeps its temporary files, so that nobody else's are in it. */
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'cspm-upload-test-'));
  vi.stubEnv('TMPDIR', scratch);
  server = await startTestServer({ worker: true });
});

afterAll(async () => {
  await server.close();
  vi.unstubAllEnvs();
  await rm(scratch, { recursive: true, force: true });
});

beforeEach(async () => {
  analyst = await Analyst.at(server);
});

const TABLES = ['inventories', 'inventory_chunks'] as const;

/** An upload that the test feeds piece by piece. */
class SlowUpload {
  readonly request: ClientRequest;
  readonly #answer: Promise<number>;

  constructor(project: string, headers: Record<string, string> = {}) {
    this.request = request(`${server.url}/projects/${project}/inventory`, {
      method: 'PUT',
      headers: { ...analyst.headers, 'content-type': 'application/x-ndjson', ...headers },
    });
    this.request.on('error', () => undefined);
    this.#answer = once(this.request, 'response').then(([response]) => {
      response.resume();
      return Number(response.statusCode);
    });
    this.#answer.catch(() => undefined);
  }

  async send(piece: string | Uint8Array): Promise<void> {
    if (!this.request.write(piece)) await once(this.request, 'drain');
  }

  /** @returns the status of the answer. */
  async end(): Promise<number> {
    this.request.end();
    return this.#answer;
  }
}

/** Once the server has noted that an upload is under way. */
async function begun(uploads = 1): Promise<void> {
  await until('the beginning of an upload', async () => {
    const rows = await rowsOf(
      server.database,
      analyst.tenantId,
      "SELECT 1 FROM inventories WHERE status = 'receiving'",
    );
    return rows.length === uploads;
  });
}

async function expectNothingLeft(kept: number): Promise<void> {
  await until('the removal of what was begun', async () => {
    const rows = await countsOf(server.database, analyst.tenantId, TABLES);
    return rows.inventories === kept && rows.inventory_chunks === kept;
  });
  await until('the end of temporary files', async () => (await openFiles()).length === 0);
  expect(await readdir(scratch)).toEqual([]);
}

/** Of the temporary files that are open, which have no names any more; as far as the system tells. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(
    descriptors.map((name) => readlink(join('/proc/self/fd', name)).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(scratch));
}

/** About 27 MB: more than is held in memory. */
const MUCH = manyClusters(900, 30_000);

describe('an upload that its sender gives up', () => {
  it.each([
    ['plain', {}, ndjson(MUCH.slice(0, 5))],
    ['gzip', { 'content-encoding': 'gzip' }, gzipped(ndjson(MUCH.slice(0, 5))).subarray(0, 40_000)],
  ])(
    'in the middle leaves nothing, and what was in force stays so: %s',
    async (_form, headers, piece) => {
      const project = await analyst.project([cluster('before')]);
      const before = await analyst.ask(200, `/projects/${project}`);
      const upload = new SlowUpload(project, headers);
      await upload.send(piece);
      await begun();
      upload.request.destroy();
      await expectNothingLeft(1);
      expect(await analyst.ask(200, `/projects/${project}`)).toEqual(before);
    },
  );

  it('after more than is held in memory leaves no temporary files', async () => {
    const project = await analyst.project([cluster('before')]);
    const upload = new SlowUpload(project);
    for (const record of MUCH) await upload.send(ndjson([record]));
    await until('a temporary file', async () => (await openFiles()).length > 0);
    upload.request.destroy();
    await expectNothingLeft(1);
  });

  it('before its first byte, by many at once, leaves the process alive', async () => {
    const project = await analyst.project();
    const uploads = Array.from(
      { length: 20 },
      (_, index) => new SlowUpload(project, index % 2 === 0 ? {} : { 'content-encoding': 'gzip' }),
    );
    for (const { request } of uploads) request.flushHeaders();
    await begun(20);
    for (const { request } of uploads) request.destroy();
    await expectNothingLeft(0);
  });
});

describe('an upload that is larger than memory should be', () => {
  it('goes by way of the disk, and leaves nothing there', async () => {
    const project = await analyst.project();
    const reply = await analyst.send(project, ndjson([...MUCH, ...MUCH.slice(0, 3)]));
    expect(reply.status, reply.text).toBe(201);
    expect(reply.json).toMatchObject({
      assets: 900,
      warnings: [{ line: 1 }, { line: 2 }, { line: 3 }],
    });
    expect(await readdir(scratch)).toEqual([]);
    const scan = await analyst.scan(project, 'gke');
    expect(scan.totals).toMatchObject({ assets: 900, fail: 300 });
  });

  it('and faulty at its end changes nothing and leaves nothing', async () => {
    const project = await analyst.project([cluster('before')]);
    const reply = await analyst.send(project, `${ndjson(MUCH)}{`);
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ errors: [{ path: 'line 901' }] });
    await expectNothingLeft(1);
  });
});

describe('two uploads at once', () => {
  it('both succeed, and the one that ended last is in force, whichever began first', async () => {
    const project = await analyst.project();
    const early = new SlowUpload(project);
    await early.send(ndjson([cluster('early-1'), cluster('early-2')]));
    await begun();
    const late = new SlowUpload(project);
    await late.send(ndjson([cluster('late')]));
    expect(await late.end()).toBe(201);
    expect((await analyst.ask(200, `/projects/${project}`)).inventory).toMatchObject({ assets: 1 });
    expect(await early.end()).toBe(201);
    expect((await analyst.ask(200, `/projects/${project}`)).inventory).toMatchObject({ assets: 2 });
  });
});

describe('a project that is deleted during an upload', () => {
  it('answers it 404, and nothing is left', async () => {
    const project = await analyst.project([cluster('before')]);
    const upload = new SlowUpload(project);
    await upload.send(ndjson([cluster('after')]));
    await begun();
    await analyst.ask(204, `/projects/${project}`, { method: 'DELETE' });
    expect(await upload.end()).toBe(404);
    await expectNothingLeft(0);
  });

  it('at the very moment that it ends: one of the two comes first, and neither fails', async () => {
    for (let round = 0; round < 10; round += 1) {
      const project = await analyst.project([cluster('before')]);
      const upload = new SlowUpload(project);
      await upload.send(ndjson([cluster('after')]));
      await begun();
      const [uploaded, deleted] = await Promise.all([
        upload.end(),
        analyst.call(`/projects/${project}`, { method: 'DELETE' }),
      ]);
      expect([201, 404]).toContain(uploaded);
      expect(deleted.status).toBe(204);
      await expectNothingLeft(0);
    }
  });
});

describe('retention', () => {
  it('keeps the newest five of six, with their chunks', async () => {
    const project = await analyst.project();
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      ids.push((await analyst.upload(project, [cluster('c')])).id);
    }
    const kept = await rowsOf(
      server.database,
      analyst.tenantId,
      'SELECT id FROM inventories ORDER BY id',
    );
    expect(kept.map((row) => row['id'])).toEqual(ids.slice(1));
    expect(await countsOf(server.database, analyst.tenantId, TABLES)).toEqual({
      inventories: 5,
      inventory_chunks: 5,
    });
  });

  it('never removes the inventory in force, though newer ones were begun after it', async () => {
    const project = await analyst.project();
    const early = new SlowUpload(project);
    await early.send(ndjson([cluster('early')]));
    await begun();
    for (let count = 0; count < 5; count += 1) await analyst.upload(project, [cluster('c')]);
    expect(await early.end()).toBe(201);
    expect(await analyst.scan(project, 'gke')).toMatchObject({ totals: { assets: 1 } });
  });

  it('never removes an inventory that is being scanned', async () => {
    const project = await analyst.project([cluster('scanned', { legacyAbac: true })]);
    const { database, services } = server;
    const scanId = await analyst.launch(project, 'gke');
    await analyst.finished(scanId);
    // As if a worker were still at it.
    await services.tenants.write(analyst.tenantId, (db) =>
      db.sql(
        {
          name: 'test-running',
          text: "UPDATE scan_projects SET status = 'running' WHERE scan_id = $1",
        },
        [scanId],
      ),
    );
    for (let count = 0; count < 6; count += 1) await analyst.upload(project, [cluster('c')]);
    const kept = await countsOf(database, analyst.tenantId, TABLES);
    expect(kept).toEqual({ inventories: 6, inventory_chunks: 6 });
  });

  it('removes an upload that was begun a day ago and never ended, when the next one comes', async () => {
    const project = await analyst.project();
    const upload = new SlowUpload(project);
    await upload.send(ndjson([cluster('c')]));
    await begun();
    server.clock.advance({ hours: 25 });
    await analyst.upload(project, [cluster('c')]);
    const rows = await rowsOf(server.database, analyst.tenantId, 'SELECT status FROM inventories');
    expect(rows).toEqual([{ status: 'ready' }]);
    // Should its sender come back to life after all, it is told that there is nothing any more.
    expect(await upload.end()).toBe(404);
  });
});
