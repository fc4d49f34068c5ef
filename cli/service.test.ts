import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt, enrol } from '../tests/kit/authenticator.ts';
import { TEST_PASSWORD } from '../tests/kit/people.ts';
import { startTestServer, TEST_APP_SECRET, type TestServer } from '../tests/kit/test-server.ts';
import { commandLine } from './testing/command-line.ts';

const BUCKET = 'storage.googleapis.com/Bucket';
const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));

describe('cspm with a service', () => {
  const cspm = commandLine();
  let server: TestServer;
  let environment: Record<string, string>;
  let email: string;

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    const user = await server.people.user();
    email = user.email;
    environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
  });

  afterAll(() => server.close());

  const scan = (...args: string[]) =>
    cspm(['scan', '--project', 'shop', '--profile', 'critical', ...args], { environment });

  it('cspm scan creates the project, uploads, scans, prints the findings and exits with 1', async () => {
    const first = await scan('--create', '--inventory', SAMPLE);
    expect(first.messages).toMatch(/Uploaded \d+ assets/);
    expect(first.messages).toMatch(/Scan completed: \d+ assets/);
    expect(first.output).toMatch(/^CRITICAL {2}\S+ {2}\/\/.* \(new\)$/m);
    expect(first.code).toBe(1);
    const [, scanId = ''] = /^Scan id: ([0-9a-f-]{36})$/m.exec(first.messages) ?? [];
    expect((await cspm(['findings', '--scan', scanId], { environment })).code).toBe(0);
    // Same inventory: no new finding, so --only-new succeeds.
    const second = await scan('--create', '--only-new');
    expect(second.messages).toContain('0 new, 0 reopened, 0 resolved');
    expect({ code: second.code, output: second.output }).toEqual({ code: 0, output: '' });
    const exported = await scan('--only-new', '--format', 'ndjson');
    expect({ code: exported.code, output: exported.output }).toEqual({ code: 0, output: '' });
  });

  it('cspm scan --only-new prints new findings only', async () => {
    const bucket = { name: '//storage.googleapis.com/new', asset_type: BUCKET };
    const policy = { bindings: [{ role: 'roles/storage.objectAdmin', members: ['allUsers'] }] };
    const folder = await mkdtemp(join(tmpdir(), 'cspm-more-'));
    const file = join(folder, 'more.ndjson');
    const before = await readFile(SAMPLE, 'utf8');
    await writeFile(file, `${before}\n${JSON.stringify({ ...bucket, iam_policy: policy })}\n`);
    const { output, code } = await scan('--inventory', file, '--only-new');
    expect(output.match(/^CRITICAL|^HIGH/gm)).toHaveLength(1);
    expect(output).toContain('bucket-public  //storage.googleapis.com/new  (new)');
    expect(code).toBe(1);
    await rm(folder, { recursive: true });
  });

  it('cspm scan --format sarif writes the findings as SARIF, without those that the scan resolved', async () => {
    const { output, messages, code } = await scan(
      ...['--inventory', SAMPLE, '--format', 'sarif', '--fail-on', 'never'],
    );
    expect(code).toBe(0);
    expect(messages).toMatch(/, [1-9]\d* resolved/);
    const { runs } = JSON.parse(output);
    const states = runs[0].results.map((one: { baselineState: string }) => one.baselineState);
    expect(states).not.toContain('absent');
    expect(runs[0].results.length).toBeGreaterThan(10);
    expect(runs[0].results[0].baselineState).toBe('unchanged');
  });

  it('cspm findings applies its filters and exports', async () => {
    const listed = await cspm(['findings', '--project', 'shop', '--severity', 'critical'], {
      environment,
    });
    expect(listed.output).toContain('CRITICAL');
    expect(listed.output).not.toContain('HIGH');
    const [, id = ''] = /^ {10}id ([0-9a-f-]{36})$/m.exec(listed.output) ?? [];
    const shown = await cspm(['findings', 'show', id], { environment });
    expect(shown.output).toContain(`          id ${id}\n\nRemediation\n`);
    const csv = await cspm(['findings', '--format', 'csv'], { environment });
    expect(csv.output.split('\r\n')[0]).toContain('ruleId');
  });

  it('cspm findings show prints the verified fix of a finding, or why there is none', async () => {
    const listed = await cspm(['findings', '--format', 'ndjson'], { environment });
    const all = listed.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const show = async (rule: string, ...args: string[]) => {
      const { id } = all.find(({ ruleId }: { ruleId: string }) => ruleId === rule);
      return cspm(['findings', 'show', id, ...args], { environment });
    };
    const shown = await show('fw-ssh-world');
    expect(shown.code).toBe(0);
    expect(shown.output).toMatch(
      /\nCommand\n {2}gcloud compute firewall-rules update .+\n\nTerraform\n {2}google_compute_firewall: /,
    );
    expect(shown.output).toContain('"path":"/resource/data/');
    expect(JSON.parse((await show('fw-ssh-world', '--format', 'json')).output)).toMatchObject({
      fix: { verified: true },
    });
    expect((await show('sa-key-user-managed')).output).toContain(
      'No automatic fix: the key must be replaced and deleted.',
    );
    expect((await cspm(['findings', 'show'], { environment })).code).toBe(2);
  });

  it.each([
    [['findings', 'show'], 'There is no finding "?".\n'],
    [['scans', 'report'], /^There is no scan "\?"\.\nLatest scans: /],
    [['webhooks', 'test'], 'No webhook has the id "?".\n'],
    [['schedules', 'show'], 'No schedule has the id or name "?".\n'],
  ])('cspm %j says that an id is unknown or malformed, and exits with 2', async (words, said) => {
    for (const id of ['nope', '123', '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36']) {
      const { code, output, messages } = await cspm([...words, id], { environment });
      expect({ code, output }).toEqual({ code: 2, output: '' });
      const shown = messages.replace(`"${id}"`, '"?"');
      if (typeof said === 'string') expect(shown).toBe(said);
      else expect(shown).toMatch(said);
    }
  });

  it('cspm findings sorts by severity, most severe first', async () => {
    const { output } = await cspm(['findings'], { environment });
    const severities = output.match(/^(CRITICAL|HIGH)/gm) ?? [];
    expect(new Set(severities).size).toBe(2);
    expect(severities).toEqual(severities.toSorted());
  });

  it.each([
    [['--project', 'shpo'], '--project: there is no project "shpo".\n  Projects: shop.'],
    [['--project', 'Not A Name'], 'no project "Not A Name".\n  Projects: shop.'],
    [['--rule', 'bucket-pulbic'], 'no rule "bucket-pulbic".\n  Similar rules: bucket-public,'],
    [
      ['--scan', '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36'],
      /no scan "0199c2a4.*\n {2}Latest scans: 0/,
    ],
    [['--severity', 'worst'], '--severity does not accept "worst". Allowed values: critical, high'],
    [['--format', 'xml'], '--format does not accept "xml". Allowed values: table, ndjson'],
  ])(
    'cspm findings refuses an unknown filter value and lists the allowed values: %j',
    async (args, words) => {
      for (const format of ['table', 'csv']) {
        const found = await cspm(['findings', '--format', format, ...args], { environment });
        expect({ code: found.code, output: found.output }).toEqual({ code: 2, output: '' });
        expect(found.messages).toMatch(words);
      }
      const known = await cspm(['findings', '--rule', 'bucket-public'], { environment });
      expect(known.code).toBe(0);
    },
  );

  it('cspm posture shows score, open findings and trend on one screen, of all projects or of one', async () => {
    const all = await cspm(['posture'], { environment });
    expect(all.code).toBe(0);
    expect(all.output).toMatch(
      /^Posture of all projects\n\nScore {5}\d+\.\d\nCoverage {2}\d+\.\d %/,
    );
    expect(all.output).toMatch(/^CRITICAL {2} *[1-9]\d*$/m);
    expect(all.output).toMatch(/^Trend by day, .*: \d+ opened, \d+ resolved$/m);
    expect(all.output.split('\n').length).toBeLessThanOrEqual(24);
    const shop = await cspm(
      ['posture', '--project', 'shop', '--interval', 'week', '--days', '700'],
      {
        environment,
      },
    );
    expect(shop.output).toMatch(/^Posture of shop\n/);
    expect(shop.output).toContain('Trend by week');
    const json = await cspm(['posture', '--format', 'json'], { environment });
    const { summary, trend } = JSON.parse(json.output);
    expect(trend.points.at(-1).open).toEqual(summary.open);
  });

  it.each([
    [['--days', '739'], '--days must be a whole number from 1 to 738.'],
    [['--days', '1.5'], '--days must be a whole number from 1 to 738.'],
    [['--interval', 'month'], '--interval does not accept "month". Allowed values: day, week.'],
    [['--project', 'shpo'], '--project: there is no project "shpo".\n  Projects: shop.'],
  ])('cspm posture refuses %j', async (args, words) => {
    const { code, output, messages } = await cspm(['posture', ...args], { environment });
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(messages).toContain(words);
  });

  it('cspm preflight exits with 0 when a scan can start and with 3 when it cannot', async () => {
    const ready = await cspm(['preflight', '--project', 'shop'], { environment });
    expect(ready.code).toBe(0);
    expect(ready.output).toContain('project.known');
    const blocked = await cspm(['preflight', '--project', 'nowhere'], { environment });
    expect(blocked.code).toBe(3);
    expect(blocked.output).toContain('FAIL  project.known');
    expect(blocked.messages).toContain('Projects: shop.');
    const launched = await cspm(['scan', '--project', 'nowhere'], { environment });
    expect(launched.code).toBe(3);
    expect(launched.messages.match(/PREFLIGHT_BLOCKED/g)).toHaveLength(1);
    expect(launched.messages).toContain('no project "nowhere". Projects: shop.');
    expect(launched.messages).toMatch(/^ {2}project\.known: /m);
  });

  it('cspm scan refuses an unknown profile and lists the known ones', async () => {
    const args = ['scan', '--project', 'shop', '--profile', 'ful'];
    const { code, output, messages } = await cspm(args, { environment });
    expect({ code, output }).toEqual({ code: 3, output: '' });
    expect(messages).toContain('"ful"');
    expect(messages).toContain('/profiles');
  });

  it('cspm login hides the password and stores the session, and cspm logout signs out', async () => {
    const home = { HOME: server.dataDir, CSPM_URL: server.url };
    const login = await cspm(['login', '--email', email], {
      environment: home,
      typed: [TEST_PASSWORD],
    });
    expect({ code: login.code, messages: login.messages }).toEqual({
      code: 0,
      messages: expect.stringContaining('Signed in to'),
    });
    expect(login.messages).not.toContain(TEST_PASSWORD);
    const asked = await cspm(['findings', '--project', 'shop'], { environment: home });
    expect(asked.code).toBe(0);
    const other = await cspm(['findings', '--url', 'http://127.0.0.1:1'], { environment: home });
    expect(other.code).toBe(2);
    expect(other.messages).toContain(
      `You are signed in to ${server.url}, not to http://127.0.0.1:1. Run cspm login --url http://127.0.0.1:1,`,
    );
    expect((await cspm(['login', '--logout'], { environment: home })).code).toBe(0);
    const after = await cspm(['findings'], { environment: home });
    expect(after.code).toBe(2);
    expect(after.messages).toContain('There is no credential');
  });

  it('cspm login takes password and one-time code from consecutive lines of its input', async () => {
    const person = await server.people.user();
    const home = { HOME: server.dataDir, CSPM_URL: server.url };
    const at = server.clock.now();
    const { secret } = await enrol(server.database, TEST_APP_SECRET, person, { at });
    const lines = `${person.password}\n${codeAt(secret, at)}`;
    const login = await cspm(['login', '--email', person.email], {
      environment: home,
      typed: [lines],
    });
    expect({ code: login.code, messages: login.messages }).toEqual({
      code: 0,
      messages: expect.stringContaining('Signed in to'),
    });
  });

  it('the exit code of cspm scan is that of the gate although the reader closes the pipe early', async () => {
    const script = 'node --import tsx cli/cspm.ts "$@" | head -c 1; echo " exit $PIPESTATUS"';
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-c', script, 'bash', 'scan', '--local', SAMPLE, '--format', 'json', '--fail-on', 'high'],
      { cwd: fileURLToPath(new URL('..', import.meta.url)) },
    );
    expect(stdout).toMatch(/ exit 1\n$/);
  });

  it('cspm login says that its input ended, and exits with 2', async () => {
    const home = { HOME: server.dataDir, CSPM_URL: server.url };
    const login = await cspm(['login', '--email', email], { environment: home, typed: [] });
    expect(login.code).toBe(2);
    expect(login.messages).toContain('The input ended before the question was answered.');
  });

  it('cspm exits with 4 when the service refuses or is unreachable, and prints its code once', async () => {
    const refused = await cspm(['findings'], {
      environment: { ...environment, CSPM_API_KEY: 'cspm_wrong' },
    });
    expect(refused.code).toBe(4);
    expect(refused.messages.match(/UNAUTHORIZED/g)).toHaveLength(1);
    const nobody = { ...environment, CSPM_URL: 'http://127.0.0.1:9' };
    const lost = await cspm(['findings'], { environment: nobody });
    expect(lost.code).toBe(4);
    expect(lost.messages.match(/CONNECTION_FAILED/g)).toHaveLength(1);
  });

  it.each(['http://127.0.0.1:9', 'http://127.0.0.1:1023'])(
    'cspm names the address %s that it cannot reach, and how to set another',
    async (url) => {
      const remedy = `Cannot reach ${url}. Is the server running? Set --url or CSPM_URL.\n`;
      const byVariable = await cspm(['findings'], {
        environment: { ...environment, CSPM_URL: url },
      });
      expect([byVariable.code, byVariable.messages]).toEqual([4, expect.stringContaining(remedy)]);
      const byOption = await cspm(['findings', '--url', url], { environment });
      expect([byOption.code, byOption.messages]).toEqual([4, expect.stringContaining(remedy)]);
    },
  );
});
