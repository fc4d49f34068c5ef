import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../tests/kit/analyst.ts';
import { cluster } from '../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { commandLine } from './testing/command-line.ts';

describe('cspm scan --timeout', () => {
  const cspm = commandLine();
  let server: TestServer;

  // Without a worker, a scan stays queued.
  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  it('cspm scan --timeout cancels a scan that has not ended in time, says so and exits with 3', async () => {
    const user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const project = await analyst.project([cluster('a')]);
    const environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
    const args = ['scan', '--project', project, '--timeout', '1s'];
    const { code, output, messages } = await cspm(args, { environment });
    expect({ code, output }).toEqual({ code: 3, output: '' });
    expect(messages).toContain(
      'The scan was still queued when the time of --timeout was over, so it was cancelled.',
    );
    const { items } = (await analyst.call('/scans')).json;
    expect(items).toMatchObject([{ status: 'cancelled' }]);
  });
});
