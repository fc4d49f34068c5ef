import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Belongings } from '../tests/kit/fixtures.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { commandLine } from './testing/command-line.ts';

const BOTH = ['--pull-first', '--no-pull-first'];

describe('cspm schedules', () => {
  const cspm = commandLine();
  let server: TestServer;
  let environment: Record<string, string>;
  let project: string;

  beforeAll(async () => {
    server = await startTestServer();
    const user = await server.people.user();
    environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
    ({ name: project } = await new Belongings(
      server.services,
      server.database,
      user.tenant,
    ).project());
  });

  afterAll(() => server.close());

  const schedules = (...args: string[]) => cspm(['schedules', ...args], { environment });

  it('cspm schedules creates, lists, shows, changes and deletes a schedule', async () => {
    expect(await schedules()).toMatchObject({ code: 0, messages: 'There are no schedules.\n' });
    const options = ['--name', 'Nightly', '--project', project, '--cron', '0 3 * * *'];
    const created = await schedules('create', ...options, '--timezone', 'Europe/Berlin');
    expect(created).toMatchObject({ code: 0, messages: '' });
    expect(created.output).toContain('0 3 * * * in Europe/Berlin');
    expect((await schedules('list')).output).toBe(created.output);
    const { output } = await schedules('show', 'Nightly', '--format', 'json');
    const { id, enabled } = JSON.parse(output);
    expect(enabled).toBe(true);
    const changed = await schedules('update', id, '--cron', '0 4 * * *', '--disable');
    expect(changed.output).toContain('0 4 * * * in Europe/Berlin');
    expect(changed.output).toContain('disabled');
    expect((await schedules('update', 'Nightly', '--enable')).output).toMatch(/next run +\d{4}-/);
    expect(await schedules('delete', 'Nightly')).toMatchObject({
      ...{ code: 0, output: '', messages: 'Deleted the schedule.\n' },
    });
    expect((await schedules('list', '--format', 'json')).output).toBe('[]\n');
  });

  it.each([
    [['fly'], 'Unknown action "fly". Use one of: list, show, create, update, delete.'],
    [['constructor'], 'Unknown action "constructor".'],
    [['list', 'x'], 'Unexpected argument "x".'],
    [['show', 'x', 'y'], 'Unexpected argument "y".'],
    [['show'], 'Missing argument: the schedule id or name.'],
    [['delete', 'unknown'], 'No schedule has the id or name "unknown".'],
    [['create', '--name', 'x'], 'schedules create needs --name, --project and --cron.'],
    [['update', 'x', '--enable', '--disable'], 'Use --enable or --disable.'],
    [['update', 'x', '--pull-first', '--no-pull-first'], 'Use --pull-first or --no-pull-first.'],
    [
      [...['create', '--name', 'x', '--project', 'x', '--cron', '0 3 * * *'], ...BOTH],
      'Use --pull-first or --no-pull-first.',
    ],
  ])('cspm schedules refuses %j and exits with 2', async (args, message) => {
    const { code, messages } = await schedules(...args);
    expect([code, messages]).toEqual([2, expect.stringContaining(message)]);
  });

  it('cspm schedules prints why the service refuses a schedule, and exits with 4', async () => {
    const options = ['--name', 'Often', '--project', project, '--cron', '* * * * *'];
    const { code, messages } = await schedules('create', ...options);
    expect([code, messages]).toEqual([4, expect.stringContaining('more often than once an hour')]);
  });

  it('cspm prints each fault of a refused request once', async () => {
    const two = ['--name', 'x'.repeat(300), '--cron', 'x'];
    const { code, messages } = await schedules('create', '--project', project, ...two);
    expect(code).toBe(4);
    for (const member of ['name', 'cron']) {
      expect(messages.split(`body.${member}: `)).toHaveLength(2);
    }
  });
});
