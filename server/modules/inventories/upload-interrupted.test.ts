import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cluster, gzipped, manyClusters, ndjson } from '../../../tests/kit/export-records.ts';
import { countsOf, rowsOf } from '../../../tests/kit/owner-queries.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { UPLOAD_SLOTS } from './upload-slots.ts';

let server: TestServer;
let analyst: Analyst;
/** A temporary folder for this test file only, so that no other process writes to it. */
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

/** An upload that the test feeds chunk by chunk. */
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

  /** @returns the status of the response. */
  async end(): Promise<number> {
    this.request.end();
    return this.#answer;
  }
}

/** Waits until the server has registered the uploads. */
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

/**
 * Open temporary files of the server and of the processes that pack inventories, which are already unlinked; empty where the system does
 * not list them.
 */
async function openFiles(): Promise<string[]> {
  const { pids } = server.services.inventories.packing;
  const folders = ['self', ...pids].map((pid) => `/proc/${pid}/fd`);
  const targets = await Promise.all(folders.map(targetsIn));
  return targets.flat().filter((target) => target.startsWith(scratch));
}

async function targetsIn(folder: string): Promise<string[]> {
  const descriptors = await readdir(folder).catch(() => []);
  return Promise.all(descriptors.map((name) => readlink(join(folder, name)).catch(() => '')));
}

/** About 27 MB, more than the memory limit. */
const MUCH = manyClusters(900, 30_000);

describe('an upload that the client aborts', () => {
  it.each([
    ['plain', {}, ndjson(MUCH.slice(0, 5))],
    ['gzip', { 'content-encoding': 'gzip' }, gzipped(ndjson(MUCH.slice(0, 5))).subarray(0, 40_000)],
  ])(
    'an upload (%s) that the client aborts half way leaves no data, and the previous inventory stays active',
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

  it('an aborted upload that exceeded the memory limit leaves no temporary files', async () => {
    const project = await analyst.project([cluster('before')]);
    const upload = new SlowUpload(project);
    for (const record of MUCH) await upload.send(ndjson([record]));
    await until('a temporary file', async () =>
      (await openFiles()).some((file) => file.includes('cspm-intake-')),
    );
    upload.request.destroy();
    await expectNothingLeft(1);
  });

  it('an upload whose process is killed is refused with 503 and Retry-After, and changes nothing', async () => {
    const project = await analyst.project([cluster('before')]);
    const before = await analyst.ask(200, `/projects/${project}`);
    const sending = analyst.send(project, ndjson([...MUCH, ...MUCH, ...MUCH]));
    const { packing } = server.services.inventories;
    const [pid] = await until('a process that packs the inventory', async () =>
      packing.pids.length > 0 ? packing.pids : null,
    );
    process.kill(Number(pid), 'SIGKILL');
    const reply = await sending;
    expect(reply).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    expect(reply.headers.get('retry-after')).toBe('30');
    await expectNothingLeft(1);
    expect(await analyst.ask(200, `/projects/${project}`)).toEqual(before);
  });

  it('many parallel uploads that are aborted before the first byte do not end the process', async () => {
    const project = await analyst.project();
    const uploads = Array.from(
      { length: 20 },
      (_, index) => new SlowUpload(project, index % 2 === 0 ? {} : { 'content-encoding': 'gzip' }),
    );
    for (const { request } of uploads) request.flushHeaders();
    // The other uploads wait for a slot; their clients disconnect before they get one.
    await begun(UPLOAD_SLOTS.perTenant);
    for (const { request } of uploads) request.destroy();
    await expectNothingLeft(0);
  });
});

describe("an upload over its tenant's share", () => {
  it("an upload over its tenant's share waits for another upload of the tenant, while other tenants are served", async () => {
    const project = await analyst.project();
    const own = Array.from({ length: UPLOAD_SLOTS.perTenant }, () => new SlowUpload(project));
    for (const upload of own) await upload.send(ndjson([cluster('a')]));
    await begun(UPLOAD_SLOTS.perTenant);
    const waiting = analyst.send(project, ndjson([cluster('waiting')]));
    const other = await Analyst.at(server);
    await other.project([cluster('other')]);
    await begun(UPLOAD_SLOTS.perTenant);
    expect(await own[0]?.end()).toBe(201);
    expect((await waiting).status).toBe(201);
    expect(await own[1]?.end()).toBe(201);
  });
});

describe('an upload that exceeds the memory limit', () => {
  it('an upload that exceeds the memory limit uses temporary files and deletes them', async () => {
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

  it('an upload that exceeds the memory limit changes nothing and leaves no files when its last record is faulty', async () => {
    const project = await analyst.project([cluster('before')]);
    const reply = await analyst.send(project, `${ndjson(MUCH)}{`);
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ errors: [{ path: 'line 901' }] });
    await expectNothingLeft(1);
  });
});

describe('two concurrent uploads', () => {
  it('two concurrent uploads both succeed, and the one that ends last becomes active', async () => {
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

describe('an upload that takes long', () => {
  const trailSince = async (from: string) =>
    (await analyst.ask(200, `/audit-events?from=${from}`)).items;

  it('an upload is in the audit trail with the time of its end, so that an export since an earlier one contains it', async () => {
    const upload = new SlowUpload(await analyst.project());
    await upload.send(ndjson([cluster('c')]));
    await begun();
    server.clock.advance({ minutes: 20 });
    const exported = server.clock.now().toISOString();
    expect(await upload.end()).toBe(201);
    expect(await trailSince(exported)).toMatchObject([{ action: 'inventory.uploaded' }]);
  });

  it('a refused upload is in the audit trail with the time of its end', async () => {
    const project = await analyst.project();
    const upload = new SlowUpload(project);
    await upload.send(ndjson([cluster('c')]));
    await begun();
    await analyst.ask(204, `/projects/${project}`, { method: 'DELETE' });
    server.clock.advance({ minutes: 20 });
    const exported = server.clock.now().toISOString();
    expect(await upload.end()).toBe(404);
    expect(await trailSince(exported)).toMatchObject([
      { action: 'inventory.uploaded', outcome: 'failure' },
    ]);
  });
});

describe('deleting a project during an upload', () => {
  it('an upload is answered 404 and leaves no data when its project is deleted meanwhile', async () => {
    const project = await analyst.project([cluster('before')]);
    const upload = new SlowUpload(project);
    await upload.send(ndjson([cluster('after')]));
    await begun();
    await analyst.ask(204, `/projects/${project}`, { method: 'DELETE' });
    expect(await upload.end()).toBe(404);
    await expectNothingLeft(0);
  });

  it('deleting a project while its upload ends applies one after the other, and neither fails', async () => {
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
  it('retention keeps the five newest of six inventories with their chunks', async () => {
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

  it('an upload is accepted when the deletion of an older inventory takes too long; a later one deletes it', async () => {
    const project = await analyst.project();
    for (let count = 0; count < 5; count += 1) await analyst.upload(project, [cluster('c')]);
    const { owner } = server.database;
    await owner.query(`
      CREATE FUNCTION public.cancel_deletion() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'canceling statement' USING ERRCODE = '57014'; END $$;
      CREATE TRIGGER cancel_deletion BEFORE DELETE ON inventories
        FOR EACH ROW WHEN (OLD.tenant_id = '${analyst.tenantId}') EXECUTE FUNCTION public.cancel_deletion()`);
    await analyst.upload(project, [cluster('c'), cluster('d')]);
    expect(await analyst.scan(project, 'gke')).toMatchObject({ totals: { assets: 2 } });
    await owner.query(
      'DROP TRIGGER cancel_deletion ON inventories; DROP FUNCTION public.cancel_deletion',
    );
    await analyst.upload(project, [cluster('c')]);
    expect(await countsOf(server.database, analyst.tenantId, TABLES)).toEqual({
      inventories: 5,
      inventory_chunks: 5,
    });
  });

  it('retention never removes the active inventory, even if newer ones exist', async () => {
    const project = await analyst.project();
    const early = new SlowUpload(project);
    await early.send(ndjson([cluster('early')]));
    await begun();
    for (let count = 0; count < 5; count += 1) await analyst.upload(project, [cluster('c')]);
    expect(await early.end()).toBe(201);
    expect(await analyst.scan(project, 'gke')).toMatchObject({ totals: { assets: 1 } });
  });

  it('retention never removes an inventory that a scan reads', async () => {
    const project = await analyst.project([cluster('scanned', { legacyAbac: true })]);
    const { database, services } = server;
    const scanId = await analyst.launch(project, 'gke');
    await analyst.finished(scanId);
    // Make it look as if a worker is still reading it.
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

  it('retention removes an unfinished upload after a day, during the next upload', async () => {
    const project = await analyst.project();
    const upload = new SlowUpload(project);
    await upload.send(ndjson([cluster('c')]));
    await begun();
    server.clock.advance({ hours: 25 });
    await analyst.upload(project, [cluster('c')]);
    const rows = await rowsOf(server.database, analyst.tenantId, 'SELECT status FROM inventories');
    expect(rows).toEqual([{ status: 'ready' }]);
    // If the client continues after all, it gets 404.
    expect(await upload.end()).toBe(404);
  });
});
