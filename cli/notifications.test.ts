import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { commandLine } from './testing/command-line.ts';

describe('cspm notifications', () => {
  const cspm = commandLine();
  let server: TestServer;
  let environment: Record<string, string>;

  beforeAll(async () => {
    server = await startTestServer();
    const user = await server.people.user({ role: 'viewer' });
    environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
  });

  afterAll(() => server.close());

  const notifications = (...args: string[]) => cspm(['notifications', ...args], { environment });

  it('cspm notifications shows that e-mails are off by default, and afterwards what was set', async () => {
    expect(await notifications()).toEqual({
      ...{ code: 0, messages: '', output: 'digest    off (no e-mails)\n' },
    });
    const set = await notifications('set', '--digest', 'immediate');
    expect(set).toEqual({
      ...{ code: 0, messages: '', output: 'digest    immediate (one e-mail for each scan)\n' },
    });
    expect(await notifications('show')).toEqual(set);
  });

  it.each(['off', 'immediate', 'daily', 'weekly'])(
    'cspm notifications sets %s and prints it as JSON',
    async (digest) => {
      const { code, output } = await notifications('set', '--digest', digest, '--format', 'json');
      expect([code, JSON.parse(output)]).toEqual([0, { digest }]);
      expect((await notifications('show', '--format', 'json')).output).toBe(output);
    },
  );

  it('cspm notifications explains its options in its help', async () => {
    const { code, output } = await notifications('--help');
    expect(code).toBe(0);
    expect(output).toContain('cspm notifications show|set [--digest off|immediate|daily|weekly]');
    expect(output).toContain('--format');
    expect((await cspm(['help'])).output).toContain('notifications');
  });

  it.each([
    [['fly'], 'Unknown action "fly". Use one of: show, set.'],
    [['set'], 'notifications set needs --digest.'],
    [['set', 'daily'], 'Unexpected argument "daily".'],
    [['set', '--digest', 'hourly'], '--digest does not accept "hourly". Allowed values: off,'],
    [['show', '--digest', 'off'], '--digest belongs to notifications set.'],
  ])('cspm notifications refuses %j and exits with 2', async (args, message) => {
    const { code, messages } = await notifications(...args);
    expect([code, messages]).toEqual([2, expect.stringContaining(message)]);
  });

  it('cspm notifications exits with 4 where the credential may not read findings', async () => {
    const user = await server.people.user({ role: ['projects.read'] });
    const outcome = await cspm(['notifications'], {
      environment: { ...environment, CSPM_API_KEY: user.key['x-api-key'] },
    });
    expect(outcome).toMatchObject({ code: 4, output: '' });
    expect(outcome.messages).toContain('findings.read');
  });
});
