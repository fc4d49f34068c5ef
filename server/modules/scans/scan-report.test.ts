import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Finding, type Scan } from '../../../tests/kit/analyst.ts';
import { bucket, bucketPolicy, firewall } from '../../../tests/kit/export-records.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import { plantFindings, recordAsNew } from '../../../tests/kit/planted-findings.ts';
import { StallWatch } from '../../../tests/kit/stall-watch.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { threadCpuMs } from '../../../tests/kit/thread-cpu.ts';
import { writeReport } from '../reports/index.ts';
import { findScan } from './queries.ts';
import { reportOf } from './scan-report.ts';

const run = promisify(execFile);

/** Whether poppler is installed, which turns PDF into text and images. */
const hasPoppler = await run('pdftoppm', ['-v']).then(
  () => true,
  () => false,
);

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
const REASON = `=HYPERLINK("http://evil.example")</td><script src=//evil.example></script>\u202edenrael`;

let server: TestServer;
let analyst: Analyst;
let project: string;
let scan: Scan;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  analyst = await Analyst.at(server);
  // The rules for names are not what keeps markup out.
  const renamed = 'UPDATE identity.tenants SET name = $2 WHERE id = $1';
  await rowsOf(server.database, analyst.tenantId, renamed, [analyst.tenantId, `Shop ${HOSTILE}`]);
  const records = [
    bucket('b', { uniform: false }),
    bucketPolicy('b'),
    { ...bucket('c', { uniform: false }), name: `//storage.googleapis.com/${HOSTILE}` },
    firewall('f', { ports: ['22'], sourceRanges: ['0.0.0.0/0'] }),
  ];
  project = await analyst.project(records);
  await analyst.scan(project);
  scan = await analyst.scan(project);
  const [finding] = await analyst.findings(`scan=${scan.id}&rule=fw-ssh-world`);
  const body = { fingerprint: finding?.fingerprint, reason: REASON };
  await analyst.ask(201, '/mutes', { method: 'POST', body });
});

afterAll(() => server.close());

async function report(query = '', { id }: { id: string } = scan) {
  const reply = await analyst.call(`/scans/${id}/report${query}`);
  expect(reply.status).toBe(200);
  return reply;
}

/** The findings that the scan saw, muted or not. */
function seen(muted: boolean): Promise<Finding[]> {
  const delta = 'delta=new&delta=reopened&delta=unchanged';
  return analyst.findings(`scan=${scan.id}&muted=${muted}&${delta}&sort=severity`);
}

/** The rows of a table of the page. */
function rowsIn(html: string, section: string): string[] {
  const text = html.split(`<section class="${section}">`)[1]?.split('</section>')[0] ?? '';
  return text.split('<tbody>')[1]?.match(/<tr>.*<\/tr>/g) ?? [];
}

const figureOf = (html: string, label: string) =>
  new RegExp(`<li><b class="[a-z]*">([\\d.,]+)</b>${label}</li>`).exec(html)?.[1];

describe('the HTML report of a scan', () => {
  it('the HTML report of a scan has the same totals as the API', async () => {
    const { text, headers } = await report();
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="report-\d{8}T\d{6}Z\.html"$/,
    );
    const { summary, requirements } = await analyst.ask(200, `/scans/${scan.id}/compliance`);
    expect(figureOf(text, 'Passed')).toBe(String(summary.pass));
    expect(figureOf(text, 'Failed')).toBe(String(summary.fail));
    expect(figureOf(text, 'Undecided')).toBe(String(summary.unknown));
    expect(figureOf(text, 'Manual')).toBe(String(summary.manual));
    expect(rowsIn(text, 'requirement-list')).toHaveLength(requirements.length);
    for (const severity of ['critical', 'high', 'medium', 'low', 'info'] as const) {
      expect(figureOf(text, severity)).toBe(String(scan.totals.bySeverity[severity]));
    }
    expect(figureOf(text, 'unchanged')).toBe(String(scan.delta.unchanged));
    const { score } = await analyst.ask(200, '/posture/summary');
    expect(figureOf(text, 'score of 100')).toBe(score.toFixed(1));
  });

  it('the HTML report of a scan lists the findings that the scan saw, and the muted ones with their reasons', async () => {
    const { text } = await report();
    const [risks, muted] = [rowsIn(text, 'risks'), rowsIn(text, 'muted')];
    const expected = await seen(false);
    expect(risks).toHaveLength(expected.length);
    expect(risks.map((row) => /<code>([^<]*)<\/code>/.exec(row)?.[1])).toEqual(
      expected.map(({ ruleId }) => ruleId),
    );
    expect(muted).toHaveLength(1);
    expect(muted[0]).toContain('fw-ssh-world');
    expect(muted[0]).toContain('=HYPERLINK(&quot;http://evil.example&quot;)&lt;/td&gt;');
    expect(muted[0]).toContain('\\u{202e}denrael');
    expect(text).toContain('1 in all, most severe first.');
  });

  it('the HTML report of a scan has no script and refers to no other file or address, regardless of the names in it', async () => {
    const { text } = await report();
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toMatch(/<(script|img|iframe|object|embed|link|base|form|a)\b/i);
    const tags = text.match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => /\s(src|href|srcset|action|on\w+)\s*=/i.test(tag))).toEqual([]);
    expect(text).not.toMatch(/url\(|@import/i);
    expect(text).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;`,
    );
    expect(text.endsWith('</main>\n</body>\n</html>\n')).toBe(true);
  });

  it('the HTML report of a scan draws the trend of the scanned projects once they have data of a second day', async () => {
    expect((await report()).text).not.toContain('<svg');
    await rowsOf(
      server.database,
      analyst.tenantId,
      `INSERT INTO posture_days
       SELECT (p).* FROM (
         SELECT json_populate_record(d, json_build_object('day', d.day - 40, 'high', 7, 'opened', 0)) AS p
         FROM posture_days d WHERE d.tenant_id = $1) p`,
      [analyst.tenantId],
    );
    const { text } = await report();
    expect(text.match(/<svg/g)).toHaveLength(2);
    expect(text).toContain('aria-label="Open findings from ');
    const lines = text.match(/<polyline points="([^"]*)"/g) ?? [];
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line.split(' ').length).toBeGreaterThan(40);
  });
});

describe('the CSV report of a scan', () => {
  it('the CSV report of a scan has a line for each requirement of the framework, with counts of verdicts', async () => {
    const { text, headers } = await report('?format=csv&framework=cis-gcp-5.0');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const path = `/scans/${scan.id}/compliance?framework=cis-gcp-5.0`;
    const { requirements } = await analyst.ask(200, path);
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toMatch(/^"framework","requirement","title","section","assessment","status",/);
    expect(lines.map((line) => line.split('","').slice(0, 2))).toEqual(
      requirements.map(({ id }: { id: string }) => ['"cis-gcp-5.0', id]),
    );
    const failed = lines.filter((line) => line.includes('"fail"'));
    expect(failed).toHaveLength(
      requirements.filter(({ status }: { status: string }) => status === 'fail').length,
    );
  });
});

/** The bytes of the PDF report in a folder of its own. */
async function withPdf(check: (folder: string, file: string) => Promise<void>): Promise<void> {
  const headers = { ...analyst.headers, 'x-forwarded-for': '198.51.100.7' };
  const response = await fetch(`${server.url}/scans/${scan.id}/report?format=pdf`, { headers });
  expect(response.headers.get('content-type')).toBe('application/pdf');
  const folder = await mkdtemp(join(tmpdir(), 'cspm-report-'));
  const file = join(folder, 'report.pdf');
  try {
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    await check(folder, file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the PDF report of a scan', () => {
  it('the PDF report of a scan is a complete PDF without scripts or links', async () => {
    await withPdf(async (_, file) => {
      const pdf = await readFile(file, 'latin1');
      expect(pdf).toMatch(/^%PDF-1\.\d\n/);
      expect(pdf).toMatch(/%%EOF\n$/);
      expect(pdf).not.toMatch(/\/(JavaScript|JS|URI|Launch|EmbeddedFile|OpenAction)\b/);
    });
  });

  it.skipIf(!hasPoppler)(
    'the PDF report of a scan has the totals of the API in its text, and renders every page',
    async () => {
      const { summary } = await analyst.ask(200, `/scans/${scan.id}/compliance`);
      await withPdf(async (folder, file) => {
        const { stdout } = await run('pdftotext', ['-layout', file, '-']);
        const counts = [summary.pass, summary.fail, summary.unknown, summary.na, summary.manual];
        expect(stdout).toMatch(new RegExp(`^\\s*${counts.join('\\s+')}\\s*$`, 'm'));
        expect(stdout).toContain(`Shop ${HOSTILE}`);
        expect(stdout).toContain('fw-ssh-world');
        expect(stdout.replace(/\s/g, '')).toContain('\\u{202e}denrael');
        await run('pdftoppm', ['-r', '40', '-png', file, join(folder, 'page')]);
        const images = (await readdir(folder)).filter((name) => name.endsWith('.png'));
        expect(images).toHaveLength(stdout.split('\f').length - 1);
        for (const image of images) {
          expect((await stat(join(folder, image))).size).toBeGreaterThan(1_000);
        }
      });
    },
  );
});

describe('a report of a scan with many findings', () => {
  let large: string;

  beforeAll(async () => {
    const tenant = { id: analyst.tenantId, name: '' };
    const belongings = new Belongings(server.services, server.database, tenant);
    const owner = await belongings.project();
    const planted = Array.from({ length: 3_000 }, (_, n) => ({
      ruleId: 'planted',
      severity: ['critical', 'high', 'medium', 'low', 'info'][n % 5] ?? 'low',
      asset: `//storage.googleapis.com/${'long'.repeat(100)}-${n}`,
      message: 'x'.repeat(5_000),
      evidence: [{ path: 'p', value: 'y'.repeat(1_000) }],
    }));
    await plantFindings(server.database, analyst.tenantId, owner.id, planted);
    const { later } = await belongings.comparedScans();
    large = later;
    await recordAsNew(server.database, analyst.tenantId, large, 'planted');
    const body = { selector: { asset: '*-1*', ruleId: 'planted' }, reason: 'Planned' };
    await analyst.ask(201, '/mutes', { method: 'POST', body });
  });

  it('the report of a scan with many findings lists the most severe and states the totals', async () => {
    const { text } = await report('', { id: large });
    expect(rowsIn(text, 'risks')).toHaveLength(100);
    expect(text).toContain('The 100 most severe of 1,889.');
    expect(rowsIn(text, 'muted')).toHaveLength(500);
    expect(text).toContain('The 500 most severe of 1,111.');
    expect(rowsIn(text, 'risks').every((row) => row.includes('critical'))).toBe(true);
  });

  it.each(['html', 'pdf', 'csv'] as const)(
    'the report of a scan with many findings is written in small chunks that do not block the event loop: %s',
    async (format) => {
      const { tenants } = server.services;
      const row = await tenants.read(analyst.tenantId, (db) => findScan(db, large));
      if (row === null) throw new Error('the scan is gone');
      const asked = {
        tenant: { id: analyst.tenantId, name: 'Shop' },
        scan: row,
        framework: 'cis-gcp-4.0',
        now: server.clock.now(),
      } as const;
      const written = async (each: () => void) => {
        for await (const piece of writeReport(format, () => reportOf(tenants, asked))) {
          expect(piece.length).toBeLessThan(300_000);
          each();
        }
      };
      // The first report loads and compiles the code.
      await written(() => undefined);
      const stalls = new StallWatch(threadCpuMs);
      await written(() => undefined);
      stalls.stop();
      // 10 to 30 ms, counted in steps of 10 ms.
      expect(stalls.worstMs).toBeLessThan(80);
    },
  );
});

describe('a report is refused', () => {
  it('a report is answered 409 for a scan that has not completed, and 404 for an unknown one', async () => {
    const tenant = { id: analyst.tenantId, name: '' };
    const ended = await new Belongings(server.services, server.database, tenant).endedScan();
    for (const format of ['html', 'pdf', 'csv']) {
      const reply = await analyst.call(`/scans/${ended}/report?format=${format}`);
      expect(reply.json).toMatchObject({ status: 409, code: 'SCAN_NOT_COMPLETED' });
      expect(reply.headers.get('content-disposition')).toBeNull();
    }
    const unknown = await analyst.call(`/scans/0199c2a4-9b60-7d41-a3f2-58c1e7d90b36/report`);
    expect(unknown.json).toMatchObject({ status: 404 });
  });

  it('a report with an unknown format or an unknown framework is rejected', async () => {
    for (const query of ['format=docx', 'framework=iso-27001', 'limit=5']) {
      expect((await analyst.call(`/scans/${scan.id}/report?${query}`)).status).toBe(400);
    }
  });
});
