import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { waitingFor } from '../../../tests/kit/owner-queries.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { type TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { inTurns, TenantTurns } from '../../platform/tenant-turns.ts';
import { exportFindings } from './export.ts';
import { type ExportRow, exportStatement, PAGE_BYTES } from './export-page.ts';
import { pageOfTenant } from './finding-page.ts';

/** Evidence with about this many characters. */
const evidenceOf = (length: number) => [{ path: 'p', value: 'x'.repeat(length) }];

let server: TestServer;
let analyst: Analyst;
let planted: string[];

beforeAll(async () => {
  server = await startTestServer();
  const user = await server.people.user();
  analyst = new Analyst(server, user.key, user.tenant.id);
  const project = await new Belongings(server.services, server.database, user.tenant).project();
  const lengths = [
    ...Array.from({ length: 60 }, () => 10),
    ...Array.from({ length: 40 }, () => 100_000),
    PAGE_BYTES + 1,
    ...Array.from({ length: 700 }, () => 10),
  ];
  planted = await plantFindings(
    server.database,
    analyst.tenantId,
    project.id,
    lengths.map((length) => ({ evidence: evidenceOf(length) })),
  );
});

afterAll(() => server.close());

/** Keeps what each read of findings returned. */
class RecordingDatabase extends TenantDatabase {
  readonly pages: ExportRow[][] = [];

  override async read<T>(tenantId: string, work: (db: TenantConnection) => Promise<T>): Promise<T> {
    const result = await super.read(tenantId, work);
    if (Array.isArray(result)) this.pages.push(result);
    return result;
  }
}

/** Its statements do not begin until it is told. */
class WaitingDatabase extends TenantDatabase {
  begin: () => void = () => undefined;
  readonly #begun = new Promise<void>((resolve) => {
    this.begin = resolve;
  });

  override async read<T>(tenantId: string, work: (db: TenantConnection) => Promise<T>): Promise<T> {
    await this.#begun;
    return super.read(tenantId, work);
  }
}

async function exported(tenants: TenantDatabase): Promise<string[]> {
  const asked = { format: 'ndjson', filter: {}, now: server.clock.now() } as const;
  const ruleUri = () => 'https://cspm.example';
  const pieces: string[] = [];
  for await (const piece of exportFindings(tenants, analyst.tenantId, { ...asked, ruleUri })) {
    pieces.push(piece);
  }
  return pieces;
}

it('an export of findings with much evidence reads pages of at most 1 MiB, and each finding once', async () => {
  const tenants = new RecordingDatabase(server.services.authenticator.pool);
  const lines = (await exported(tenants)).join('').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(planted.toReversed());
  for (const page of tenants.pages.filter(({ length }) => length > 1)) {
    const texts = page.map(({ evidence, message }) => `${evidence}${message}`);
    expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(PAGE_BYTES);
  }
  // The small ones before and after are not read one by one.
  expect(tenants.pages.length).toBeLessThan(20);
  expect(tenants.pages[0]).toHaveLength(500);
});

it('an export of findings yields pieces of at most 50 findings and 64 KiB of their texts', async () => {
  const pieces = await exported(new TenantDatabase(server.services.authenticator.pool));
  for (const piece of pieces) {
    const findings = piece.trimEnd().split('\n').length;
    expect(findings).toBeLessThanOrEqual(50);
    // The other members of a finding are less than 2 KiB.
    if (findings > 1) expect(piece.length).toBeLessThan(64 * 1024 + findings * 2048);
  }
});

it('the statement of an export is planned each time, because a plan from before a bulk mute can take minutes', () => {
  const page = { sort: 'newest', after: null, limit: 500, now: server.clock.now() } as const;
  for (const filter of [{}, { status: ['open'], severity: ['high'] }, { project: ['x'] }]) {
    expect(exportStatement(pageOfTenant(analyst.tenantId, filter, page)).name).toBe('');
  }
});

it('one export of a tenant reads at a time, while its other exports wait', async () => {
  const { owner } = server.database;
  await owner.query('BEGIN; LOCK TABLE findings IN ACCESS EXCLUSIVE MODE');
  const begun = Array.from({ length: 4 }, () => analyst.call('/findings/export?format=csv'));
  try {
    await until(
      'all exports are open',
      async () => server.services.openStreams.open('export') === 4,
    );
    const reads = () => waitingFor(server.database, "l.relation = 'findings'::regclass");
    await until('one of them reads', async () => (await reads()).length > 0);
    // Each request of the tenant would have reached the database by the time that later ones are answered.
    for (let n = 0; n < 4; n += 1) await analyst.ask(200, '/projects');
    expect(await reads()).toHaveLength(1);
  } finally {
    await owner.query('ROLLBACK');
  }
  const sizes = (await Promise.all(begun)).map(({ status, text }) => [status, text.length]);
  expect(new Set(sizes.map(String)).size).toBe(1);
  expect(sizes[0]?.[0]).toBe(200);
});

it('exports whose statements wait do not delay the export of another tenant', async () => {
  const { pool } = server.services.authenticator;
  const turns = new TenantTurns(1);
  const asked = {
    format: 'ndjson',
    filter: {},
    now: server.clock.now(),
    ruleUri: () => '',
  } as const;
  const waiting = new WaitingDatabase(pool);
  const exportOf = (tenantId: string, tenants: TenantDatabase) => {
    const turn = turns.of(tenantId);
    return inTurns(turn, exportFindings(tenants, tenantId, asked, turn.pause));
  };
  const begun = Array.from({ length: 3 }, () => exportOf(randomUUID(), waiting).next());
  let length = 0;
  for await (const piece of exportOf(analyst.tenantId, new TenantDatabase(pool))) {
    length += piece.trimEnd().split('\n').length;
  }
  expect(length).toBe(planted.length);
  waiting.begin();
  // The other tenants have no findings.
  for (const item of await Promise.all(begun)) expect(item.done).toBe(true);
});
