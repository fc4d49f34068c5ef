import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_PASSWORD } from '../server/testing/people.ts';
import { startTestServer, type TestServer } from '../server/testing/test-server.ts';
import { commandLine } from './testing/command-line.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));

describe('the command line, with a service', () => {
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

  it('makes the project, uploads, scans, prints what is wrong and fails the pipeline for it', async () => {
    const first = await scan('--create', '--inventory', SAMPLE);
    expect(first.messages).toMatch(/Uploaded \d+ assets/);
    expect(first.messages).toMatch(/Scan completed: \d+ assets/);
    expect(first.output).toMatch(/^CRITICAL {2}\S+ {2}\/\/.* \(new\)$/m);
    expect(first.code).toBe(1);
    // The same again: nothing is new, which is all that this pipeline asks for.
    const second = await scan('--create', '--only-new');
    expect(second.messages).toContain('0 new, 0 reopened, 0 resolved');
    expect(second.code).toBe(0);
  });

  it('writes what the scan saw in the formats of the export', async () => {
    const { output, code } = await scan('--format', 'sarif', '--fail-on', 'never');
    expect(code).toBe(0);
    const { runs } = JSON.parse(output);
    expect(runs[0].results.length).toBeGreaterThan(10);
    expect(runs[0].results[0].baselineState).toBe('unchanged');
  });

  it('lists findings by their filters, and exports them', async () => {
    const listed = await cspm(['findings', '--project', 'shop', '--severity', 'critical'], {
      environment,
    });
    expect(listed.output).toContain('CRITICAL');
    expect(listed.output).not.toContain('HIGH');
    const csv = await cspm(['findings', '--format', 'csv'], { environment });
    expect(csv.output.split('\r\n')[0]).toContain('ruleId');
  });

  it('says whether a scan could start, and ends with 3 when it could not', async () => {
    const ready = await cspm(['preflight', '--project', 'shop'], { environment });
    expect(ready.code).toBe(0);
    expect(ready.output).toContain('project.known');
    const blocked = await cspm(['preflight', '--project', 'nowhere'], { environment });
    expect(blocked.code).toBe(3);
    expect(blocked.output).toContain('FAIL  project.known');
    const launched = await cspm(['scan', '--project', 'nowhere'], { environment });
    expect(launched.code).toBe(3);
    expect(launched.messages).toContain('PREFLIGHT_BLOCKED');
  });

  it('signs in with a password that is not shown, keeps the session, and signs out', async () => {
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
    expect((await cspm(['login', '--logout'], { environment: home })).code).toBe(0);
    const after = await cspm(['findings'], { environment: home });
    expect(after.code).toBe(2);
    expect(after.messages).toContain('There is no credential');
  });

  it('tells a refusal apart from wrong usage', async () => {
    const refused = await cspm(['findings'], {
      environment: { ...environment, CSPM_API_KEY: 'cspm_wrong' },
    });
    expect(refused.code).toBe(4);
    expect(refused.messages).toContain('UNAUTHORIZED');
  });
});
