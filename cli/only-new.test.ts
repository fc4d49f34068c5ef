import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../tests/kit/analyst.ts';
import { cluster } from '../tests/kit/export-records.ts';
import { rowsOf, waitingFor } from '../tests/kit/owner-queries.ts';
import { cutSmall } from '../tests/kit/small-chunks.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { until } from '../tests/kit/until.ts';
import { commandLine } from './testing/command-line.ts';

const ASSETS = 40;

describe('cspm scan --only-new', () => {
  const cspm = commandLine();
  let server: TestServer;
  let analyst: Analyst;
  let environment: Record<string, string>;

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    const user = await server.people.user();
    environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
    analyst = new Analyst(server, user.key, user.tenant.id);
  });

  afterAll(() => server.close());

  const clusters = (legacyAbac: boolean) =>
    Array.from({ length: ASSETS }, (_, index) => cluster(`c${index}`, { legacyAbac }));

  /** Cancels the scan while its first step is being written, which is the last one then. */
  async function cancelledAfterOneStep(project: string): Promise<Scan> {
    const { owner } = server.database;
    await owner.query('BEGIN');
    await rowsOf(server.database, analyst.tenantId, 'SELECT 1 FROM projects FOR UPDATE', []);
    const id = await analyst.launch(project, 'gke');
    await until('a step to be written, which waits for the project', async () => {
      return (await waitingFor(server.database, "l.locktype = 'transactionid'")).length > 0;
    });
    const cancelled = analyst.ask(202, `/scans/${id}/cancel`, { method: 'POST' });
    await until('the cancellation to wait', async () => {
      const kind = "l.locktype = 'advisory' AND l.mode = 'ExclusiveLock'";
      return (await waitingFor(server.database, kind)).length === 1;
    });
    await owner.query('ROLLBACK');
    return cancelled;
  }

  const newFindings = async (project: string) => {
    const args = ['scan', '--project', project, '--profile', 'gke', '--only-new'];
    const { code, output, messages } = await cspm(args, { environment });
    const found = output.match(/^HIGH .* gke-legacy-abac .*\(new\)$/gm)?.length ?? 0;
    return { code, found, isExplained: messages.includes('seen only by incomplete scans') };
  };

  it('cspm scan --only-new reports the findings that a cancelled scan saw first, once', async () => {
    const project = await analyst.project(clusters(false));
    await analyst.scan(project, 'gke');
    await analyst.upload(project, clusters(true));
    await cutSmall(server.services.tenants, analyst, project, 2);
    const { status, delta } = await cancelledAfterOneStep(project);
    expect(status).toBe('cancelled');
    expect(delta.new).toBeGreaterThan(0);
    expect(await newFindings(project)).toEqual({ code: 1, found: ASSETS, isExplained: true });
    expect(await newFindings(project)).toEqual({ code: 0, found: 0, isExplained: false });
  });

  it('cspm scan --only-new reports all findings of a project that has no completed scan', async () => {
    const project = await analyst.project(clusters(true));
    await cutSmall(server.services.tenants, analyst, project, 2);
    expect((await cancelledAfterOneStep(project)).delta.new).toBeGreaterThan(0);
    expect(await newFindings(project)).toEqual({ code: 1, found: ASSETS, isExplained: true });
  });
});
