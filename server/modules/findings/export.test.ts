import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Finding } from '../../../tests/kit/analyst.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { rowsOf, waitingFor } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { type TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import { newId } from '../../platform/ids.ts';
import { exportFindings } from './export.ts';
import { PAGE_BYTES } from './export-page.ts';

let server: TestServer;
let analyst: Analyst;
let project: { id: string; name: string };
let all: Finding[];

const projectOf = ({ tenant }: TestUser) =>
  new Belongings(server.services, server.database, tenant).project();

/** More than two export pages of findings of all kinds, some muted, and findings of another tenant. */
beforeAll(async () => {
  server = await startTestServer();
  const user = await server.people.user();
  analyst = new Analyst(server, user.key, user.tenant.id);
  project = await projectOf(user);
  const planted = Array.from({ length: 1_203 }, (_, n) => ({
    ruleId: n % 3 === 0 ? 'bucket-public' : `own-rule-${n % 4}`,
    severity: ['critical', 'high', 'medium', 'low', 'info'][n % 5] ?? 'low',
    asset: `//storage.googleapis.com/b${n % 50}`,
    message: `Says "${n}", and {more}\nbelow`,
    status: n % 7 === 0 ? ('resolved' as const) : ('open' as const),
  }));
  await plantFindings(server.database, analyst.tenantId, project.id, planted.slice(0, 1_000));
  const other = await projectOf(user);
  await plantFindings(server.database, analyst.tenantId, other.id, planted.slice(1_000));
  const stranger = await server.people.user();
  const theirs = await projectOf(stranger);
  await plantFindings(server.database, stranger.tenant.id, theirs.id, planted.slice(0, 20));
  const selector = { asset: '//storage.googleapis.com/b1*', project: project.name };
  const body = { selector, reason: 'Static, and public "on purpose"' };
  await analyst.ask(201, '/mutes', { method: 'POST', body });
  all = await analyst.findings();
  expect(all).toHaveLength(1_203);
});

afterAll(() => server.close());

async function exported(query: string) {
  const reply = await analyst.call(`/findings/export?${query}`);
  expect(reply.status).toBe(200);
  return reply;
}

function linesOf(text: string) {
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line));
}

describe('an export of findings', () => {
  it.each([
    ['', 'application/x-ndjson; charset=utf-8', 'ndjson'],
    ['format=ndjson', 'application/x-ndjson; charset=utf-8', 'ndjson'],
    ['format=ocsf', 'application/x-ndjson; charset=utf-8', 'ocsf.ndjson'],
    ['format=csv', 'text/csv; charset=utf-8', 'csv'],
    ['format=sarif', 'application/sarif+json', 'sarif'],
  ])(
    'an export of findings has the content type and file name of its format: %s',
    async (query, type, extension) => {
      const { headers } = await exported(`${query}&rule=own-rule-1`);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('content-disposition')).toMatch(
        new RegExp(`^attachment; filename="findings-\\d{8}T\\d{6}Z\\.${extension}"$`),
      );
      expect(headers.get('x-tenant-id')).toBe(analyst.tenantId);
    },
  );

  it('an export of findings as NDJSON equals the list in content and order, without findings of another tenant', async () => {
    expect(linesOf((await exported('')).text)).toEqual(all);
  });

  it.each<[string, (finding: Finding) => boolean]>([
    ['muted=true', ({ muted }) => muted !== null],
    ['muted=false&status=open', ({ muted, status }) => muted === null && status === 'open'],
    ['severity=low&severity=info', ({ severity }) => severity === 'low' || severity === 'info'],
    ['rule=bucket-public', ({ ruleId }) => ruleId === 'bucket-public'],
    ['project=PROJECT', (finding) => finding.project === project.name],
    ['project=nobodys', () => false],
    [`scan=${newId()}`, () => false],
  ])('an export of findings applies the filter %s', async (filter, holds) => {
    const { text } = await exported(filter.replace('PROJECT', project.name));
    expect(linesOf(text)).toEqual(all.filter(holds));
  });

  it('an export of the findings of a scan has what the scan saw, with its delta', async () => {
    const belongings = new Belongings(server.services, server.database, {
      id: analyst.tenantId,
      name: '',
    });
    const scan = await belongings.scan();
    await rowsOf(
      server.database,
      analyst.tenantId,
      `INSERT INTO scan_findings (tenant_id, scan_id, finding_id, delta, scan_at)
       SELECT f.tenant_id, s.id, f.id, 'reopened', s.created_at FROM scans s CROSS JOIN findings f
       WHERE s.id = $1 AND f.rule_id = 'bucket-public'`,
      [scan],
    );
    const seen = linesOf((await exported(`scan=${scan}`)).text);
    const expected = all.filter(({ ruleId }) => ruleId === 'bucket-public');
    expect(seen).toEqual(expected.map((finding) => ({ ...finding, delta: 'reopened' })));
  });

  it('an export has the same findings as SARIF, OCSF and CSV', async () => {
    const fingerprints = all.map(({ fingerprint }) => fingerprint);
    const [run] = JSON.parse((await exported('format=sarif')).text).runs;
    expect(
      run.results.map((of: { fingerprints: object }) => Object.values(of.fingerprints)[0]),
    ).toEqual(fingerprints);
    const suppressed = run.results.filter((of: { suppressions: [] }) => of.suppressions.length > 0);
    expect(suppressed).toHaveLength(all.filter(({ muted }) => muted !== null).length);
    const events = linesOf((await exported('format=ocsf')).text);
    expect(events.map(({ finding_info: info }) => info.uid)).toEqual(fingerprints);
    const csv = (await exported('format=csv')).text.split('\r\n');
    expect(csv.slice(1, -1).map((line) => line.split('","')[1])).toEqual(fingerprints);
  });

  it('an export in SARIF links each rule to its page in the console', async () => {
    const [{ tool }] = JSON.parse((await exported('format=sarif')).text).runs;
    expect(tool.driver.rules.length).toBeGreaterThan(1);
    for (const { id, helpUri } of tool.driver.rules) {
      expect(helpUri).toBe(`${server.url}/console/rules/${id}`);
    }
  });

  it('an export of findings answers HEAD without a body, and an unknown format with 400', async () => {
    const head = await analyst.call('/findings/export?format=csv', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    for (const query of ['format=xml', 'format=csv&format=sarif', 'limit=5', 'cursor=x']) {
      expect((await analyst.call(`/findings/export?${query}`)).status).toBe(400);
    }
  });

  it('an export of findings uses the mutes that were active when it started', async () => {
    const now = server.clock.now();
    const [mute] = (await analyst.ask(200, '/mutes')).items;
    const muted = all.filter((finding) => finding.muted !== null).length;
    const count = async (at: Date) => {
      const filter = { muted: true };
      const ruleUri = () => 'https://cspm.example';
      const asked = { format: 'ndjson', filter, now: at, ruleUri } as const;
      let text = '';
      for await (const piece of exportFindings(server.services.tenants, analyst.tenantId, asked)) {
        text += piece;
      }
      return linesOf(text).length;
    };
    expect(await count(now)).toBe(muted);
    expect(await count(new Date(mute.expiresAt))).toBe(0);
  });
});

describe('an export that is larger than any buffer', () => {
  let socket: ReturnType<typeof connect>;
  let received: () => string;

  beforeAll(async () => {
    await rowsOf(server.database, analyst.tenantId, MANY, [analyst.tenantId, project.id]);
  });

  /** The client reads the first chunk and nothing more. */
  async function begin(format: string): Promise<void> {
    const { hostname, port } = new URL(server.url);
    const pieces: Buffer[] = [];
    socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      if (pieces.length === 0) socket.pause();
      pieces.push(piece);
    });
    const credential = `X-API-Key: ${analyst.headers['x-api-key']}`;
    socket.write(
      `GET /findings/export?rule=many&format=${format} HTTP/1.1\r\nHost: x\r\n${credential}\r\n\r\n`,
    );
    received = () => Buffer.concat(pieces).toString('latin1');
    await until('the first piece is there', async () => pieces.length > 0);
  }

  it('a large export holds no database connection while the client is slow, and ends when the client disconnects', async () => {
    const { pool } = server.services.authenticator;
    const isFree = async () => pool.idleCount === pool.totalCount;
    await begin('sarif');
    await until('every connection is free', isFree);
    socket.destroy();
    await until('every connection is free', isFree);
    expect((await analyst.call('/findings?limit=1')).status).toBe(200);
  });

  it('a large export contains every finding once, and is read page by page', async () => {
    const { pool } = server.services.authenticator;
    const counting = new CountingDatabase(pool);
    const asked = { format: 'csv', filter: { rule: ['many'] }, now: server.clock.now() } as const;
    const ruleUri = () => 'https://cspm.example';
    const others = new TenantDatabase(pool);
    const begun = Array.from({ length: 15 }, (_, n) =>
      exportFindings(n === 0 ? counting : others, analyst.tenantId, { ...asked, ruleUri }),
    );
    // Start more exports than there are connections and read none to its end.
    for (const pieces of begun) await pieces.next();
    // Much less than the export has, but more than a page.
    for (let bytes = 0; bytes <= PAGE_BYTES; ) {
      bytes += String((await begun[0]?.next())?.value).length;
    }
    // One read of rules, the two pages that were consumed, and at most the page after them.
    expect([3, 4]).toContain(counting.reads);
    for (const pieces of begun) await pieces.return();
    const reads = counting.reads;
    expect(reads).toBeLessThanOrEqual(4);
    await analyst.ask(200, '/findings?limit=1');
    expect(counting.reads).toBe(reads);
    const findings = linesOf((await exported('rule=many')).text);
    expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(5_000);
  });

  it('a large export is cut off when the database fails, so that no client mistakes a part for the whole', async () => {
    await begin('ndjson');
    const closed = once(socket, 'close');
    await torn(async () => {
      socket.resume();
    });
    await closed;
    expect(received()).toMatch(/^HTTP\/1.1 200 OK/);
    expect(received()).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  it('an export that fails before its first chunk is answered with a problem instead of a file', async () => {
    const { openStreams } = server.services;
    await until('no other export is open', async () => openStreams.open('export') === 0);
    // The export may fail while it waits for the lock or while it is refused; both come before its first chunk.
    const reply = await torn(() => analyst.call('/findings/export?format=sarif'), 'or it ends');
    expect(reply).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    expect(reply.headers.get('content-disposition')).toBeNull();
  });
});

class CountingDatabase extends TenantDatabase {
  reads = 0;

  override read<T>(tenantId: string, work: (db: TenantConnection) => Promise<T>): Promise<T> {
    this.reads += 1;
    return super.read(tenantId, work);
  }
}

/** Breaks the database connection while it reads findings. */
async function torn<T>(start: () => Promise<T>, lockOr?: 'or it ends'): Promise<T> {
  const { owner } = server.database;
  const { pool } = server.services.authenticator;
  await owner.query('BEGIN; LOCK TABLE findings IN ACCESS EXCLUSIVE MODE');
  const begun = start();
  // `start` may itself wait for the lock, so do not await it here.
  let hasEnded = false;
  const ended = () => {
    hasEnded = true;
  };
  begun.then(ended, ended);
  const pid = await until('somebody waits for the lock', async () => {
    const pids = await waitingFor(server.database, "l.relation = 'findings'::regclass");
    return pids[0] ?? (lockOr === 'or it ends' && hasEnded ? 'none' : undefined);
  });
  if (pid !== 'none') await pool.query('SELECT pg_terminate_backend($1)', [pid]);
  const outcome = await begun;
  await owner.query('ROLLBACK');
  return outcome;
}

/** About 20 MB of findings, more than the sockets buffer. */
const MANY = `
  INSERT INTO findings (tenant_id, id, project_id, fingerprint, rule_id, severity, title, asset_name, asset_type, subject,
                        message, evidence, status, delta, first_seen_at, last_seen_at, last_scan_id)
  SELECT $1::uuid, gen_random_uuid(), $2::uuid, sha256(n::text::bytea), 'many', 'low', 'Many', '//s/' || n, 'T', '',
         'One of many', json_build_array(json_build_object('path', 'p', 'value', repeat('x', 4000))), 'open', 'new',
         now(), now(), gen_random_uuid()
  FROM generate_series(1, 5000) n`;
