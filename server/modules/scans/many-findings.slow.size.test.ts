import { afterAll, beforeAll, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

/** A step may have 100,000 findings. The records fill three chunks, which are one step. */
const RECORDS = 42;
const MEMBERS = 2_500;
const WITHIN_MS = 300_000;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
});

afterAll(() => server.close());

it(
  'a scan records chunks one by one if together they have more findings than one step may have',
  async () => {
    const analyst = await Analyst.at(server);
    const members = Array.from({ length: MEMBERS }, (_, at) => `user:${at}@x.example`);
    const project = await analyst.project(
      Array.from({ length: RECORDS }, (_, at) => ({
        name: `//cloudresourcemanager.googleapis.com/projects/p${at}`,
        asset_type: 'cloudresourcemanager.googleapis.com/Project',
        iam_policy: { bindings: [{ role: 'roles/owner', members }] },
      })),
    );
    const profile = 'custom:owners';
    await analyst.ask(201, '/profiles', {
      method: 'POST',
      body: { name: profile, include: ['iam-primitive-roles'], exclude: [], parameters: {} },
    });
    const scan = await analyst.finished(await analyst.launch(project, profile), WITHIN_MS);
    expect(scan).toMatchObject({
      status: 'completed',
      projects: [{ assets: RECORDS, findings: RECORDS * MEMBERS }],
    });
  },
  WITHIN_MS,
);
