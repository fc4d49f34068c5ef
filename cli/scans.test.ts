import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../tests/kit/analyst.ts';
import { cluster } from '../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { commandLine } from './testing/command-line.ts';

const UNKNOWN = '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36';

describe('cspm scans', () => {
  const cspm = commandLine();
  let server: TestServer;
  let environment: Record<string, string>;
  let project: string;
  let before: Scan;
  let after: Scan;

  const compare = (...args: string[]) =>
    cspm(['scans', 'compare', after.id, '--with', before.id, ...args], { environment });

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    const user = await server.people.user();
    environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
    const analyst = new Analyst(server, user.key, user.tenant.id);
    project = await analyst.project([cluster('goes', { legacyAbac: true })]);
    before = await analyst.scan(project, 'gke');
    const records = ['goes', 'comes'].map((name) =>
      cluster(name, { legacyAbac: name === 'comes' }),
    );
    await analyst.upload(project, records);
    after = await analyst.scan(project, 'gke');
  });

  afterAll(() => server.close());

  it('cspm scans list prints the latest scans with their ids, newest first', async () => {
    const { code, output } = await cspm(['scans', 'list'], { environment });
    expect(code).toBe(0);
    const line = ({ id, createdAt }: Scan) =>
      `${createdAt}  completed  ${id}  ${project}  gke  1 failed\n`;
    expect(output).toBe(line(after) + line(before));
  });

  it('cspm scans list filters, limits and writes JSON', async () => {
    const list = (...args: string[]) => cspm(['scans', 'list', ...args], { environment });
    const one = await list('--project', project, '--limit', '1', '--format', 'json');
    expect(JSON.parse(one.output)).toMatchObject([{ id: after.id, status: 'completed' }]);
    const none = await list('--status', 'failed,cancelled');
    expect(none).toEqual({ code: 0, output: '', messages: 'No scan matches.\n' });
    for (const [args, fault] of [
      [['--limit', '0'], '--limit must be a whole number from 1.'],
      [['--format', 'pdf'], '--format must be one of table, json.'],
      [['--project', 'nope'], '--project: there is no project "nope".'],
      [['--status', 'open'], '--status does not accept "open".'],
    ] as const) {
      const { code, messages } = await list(...args);
      expect(code).toBe(2);
      expect(messages).toContain(fault);
    }
  });

  it('cspm scans compare lists what changed as lines', async () => {
    const { code, output } = await compare();
    expect(code).toBe(0);
    expect(output).toContain(`${project}: 1 new, 0 reopened, 1 resolved, 0 unchanged\n`);
    expect(output).toMatch(/^HIGH {6}gke-legacy-abac {2}\S+comes {2}\(new\)$/m);
    expect(output).toMatch(/^HIGH {6}gke-legacy-abac {2}\S+goes {2}\(resolved\)$/m);
  });

  it('cspm scans compare writes one JSON document, with the filters applied', async () => {
    const { output } = await compare('--format', 'json', '--change', 'new', '--severity', 'high');
    const json = JSON.parse(output);
    expect(json).toMatchObject({
      scan: { id: after.id },
      with: { id: before.id },
      items: [{ change: 'new', finding: { project, severity: 'high' } }],
    });
    const none = await compare('--format', 'json', '--severity', 'low');
    expect(JSON.parse(none.output).items).toEqual([]);
  });

  it('cspm scans compare says why scans cannot be compared', async () => {
    const swapped = ['scans', 'compare', before.id, '--with', after.id];
    const { code, messages } = await cspm(swapped, { environment });
    expect(code).toBe(4);
    expect(messages).toContain('SCANS_NOT_COMPARABLE');
    expect(messages).toContain('Swap the two');
  });

  it('cspm scans compare and cspm scans report name the scan that does not exist, and exit with 2', async () => {
    for (const [args, words] of [
      [['compare', 'x', '--with', before.id], 'There is no scan "x".\n'],
      [['compare', after.id, '--with', 'y'], 'There is no scan "y".\n'],
      [['compare', 'x', '--with', 'y'], 'There is no scan "x" and no scan "y".\n'],
      [['report', UNKNOWN], `There is no scan "${UNKNOWN}".\n`],
    ] as const) {
      const { code, output, messages } = await cspm(['scans', ...args], { environment });
      expect({ code, output }).toEqual({ code: 2, output: '' });
      expect(messages).toBe(`${words}Latest scans: ${after.id}, ${before.id}.\n`);
    }
  });

  it('cspm scans report writes a report to a file, with every byte of a PDF', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-report-'));
    const file = join(folder, 'report.pdf');
    const asked = ['scans', 'report', after.id, '--format', 'pdf', '--output', file];
    const { code } = await cspm(asked, { environment });
    const pdf = await readFile(file);
    await rm(folder, { recursive: true });
    expect(code).toBe(0);
    expect(pdf.subarray(0, 7).toString('latin1')).toBe('%PDF-1.');
    // Decoding as text would have replaced bytes by longer ones, so the table would not be at its offset.
    const [, offset = ''] = /startxref\n(\d+)\n%%EOF\n$/.exec(pdf.toString('latin1')) ?? [];
    expect(pdf.subarray(Number(offset)).toString('latin1')).toMatch(/^xref\n0 /);
  });

  it('cspm scans report writes a report to standard output, for the named framework', async () => {
    const html = await cspm(['scans', 'report', after.id], { environment });
    expect(html.output).toMatch(/^<!doctype html>/);
    const asked = ['scans', 'report', after.id, '--format', 'csv', '--framework'];
    const csv = await cspm([...asked, 'cis-gcp-5.0'], { environment });
    expect(csv.output).toContain('"cis-gcp-5.0","1.1.1"');
    const refused = await cspm([...asked, 'iso-27001'], { environment });
    expect(refused.code).not.toBe(0);
    expect(refused.messages).toContain('framework');
  });

  it('cspm scans refuses a format that the action does not have', async () => {
    for (const args of [
      ['report', after.id, '--format', 'json'],
      ['compare', after.id, '--with', before.id, '--format', 'pdf'],
    ]) {
      const { code, messages } = await cspm(['scans', ...args], { environment });
      expect(code).toBe(2);
      expect(messages).toContain('--format must be one of');
    }
  });

  it.each([[[]], [['compare']], [['compare', 'a']], [['list', 'a', '--with', 'b']]])(
    'cspm scans refuses %j with its usage',
    async (args: string[]) => {
      const { code, messages } = await cspm(['scans', ...args], { environment });
      expect(code).toBe(2);
      expect(messages).toContain('Usage: cspm scans compare <id> --with <earlier id>');
    },
  );
});
