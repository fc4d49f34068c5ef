import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../tests/kit/analyst.ts';
import { bucket, cluster } from '../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { commandLine } from './testing/command-line.ts';

describe('cspm assets', () => {
  const cspm = commandLine();
  const bad = cluster('bad', { legacyAbac: true });
  let server: TestServer;
  let environment: Record<string, string>;
  let project: string;

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    const user = await server.people.user();
    environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const data = { ...(bucket('files').resource as object), location: 'EU' };
    project = await analyst.project([{ ...bucket('files'), resource: data }, bad]);
    await analyst.scan(project, 'gke');
  });

  afterAll(() => server.close());

  const assets = (...args: string[]) => cspm(['assets', ...args], { environment });

  it('cspm assets lists the assets of a project, one a line, with filters', async () => {
    const all = await assets('list', '--project', project);
    expect(all).toMatchObject({ code: 0, messages: '' });
    expect(all.output.trimEnd().split('\n')).toEqual([
      `1 HIGH        container.googleapis.com/Cluster  -  ${bad.name}`,
      '-             storage.googleapis.com/Bucket  eu  //storage.googleapis.com/files',
    ]);
    const clean = await assets('list', '--project', project, '--without-findings');
    expect(clean.output).toContain('files');
    expect(clean.output).not.toContain('Cluster');
    const json = await assets('list', '--project', project, '--search', 'BAD', '--format', 'json');
    expect(JSON.parse(json.output)).toMatchObject({ name: bad.name, openFindings: 1 });
  });

  it('cspm assets shows an asset with its findings, its verdicts and its data', async () => {
    const { code, output } = await assets('show', bad.name, '--project', project);
    expect(code).toBe(0);
    expect(output).toContain('gke-legacy-abac');
    expect(output).toMatch(/FAIL +gke-legacy-abac/);
    expect(output).toMatch(/PASS +gke-private-nodes/);
    expect(output).toContain('"legacyAbac": {');
    const json = await assets('show', bad.name, '--project', project, '--format', 'json');
    expect(JSON.parse(json.output).asset).toEqual(bad);
  });

  it.each([
    [['fly'], 'Unknown action "fly". Use one of: list, show.'],
    [['list'], 'assets list needs --project.'],
    [['list', 'x', '--project', 'p'], 'Unexpected argument "x".'],
    [['show', '--project', 'p'], 'Missing argument: the full resource name.'],
    [
      ['show', 'x', '--project', 'p', '--type', 'a', '--type', 'b'],
      'assets show takes one --type.',
    ],
    [
      ['list', '--project', 'p', '--with-findings', '--without-findings'],
      'Use --with-findings or --without-findings.',
    ],
  ])('cspm assets refuses %j and exits with 2', async (args, message) => {
    const { code, messages } = await assets(...args);
    expect([code, messages]).toEqual([2, expect.stringContaining(message)]);
  });

  it('cspm assets show says that the inventory lacks an asset, and exits with 2', async () => {
    expect(await assets('show', '//x', '--project', project)).toEqual({
      code: 2,
      output: '',
      messages: `The inventory of ${project} has no asset "//x". List them: cspm assets list --project ${project}\n`,
    });
  });

  it.each([[['list']], [['show', '//x']]])(
    'cspm assets %j names the existing projects when the project does not exist',
    async (args) => {
      expect(await assets(...args, '--project', 'shpo')).toEqual({
        code: 2,
        output: '',
        messages: `There is no project "shpo".\nProjects: ${project}.\n`,
      });
    },
  );
});
