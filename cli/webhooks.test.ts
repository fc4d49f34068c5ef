import { verifyWebhook } from '@cspm/sdk/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { until } from '../tests/kit/until.ts';
import { WebhookReceiver } from '../tests/kit/webhook-receiver.ts';
import { commandLine } from './testing/command-line.ts';

describe('cspm webhooks', () => {
  const cspm = commandLine();
  let server: TestServer;
  let receiver: WebhookReceiver;
  let environment: Record<string, string>;
  let session: Readonly<Record<string, string>>;

  beforeAll(async () => {
    server = await startTestServer();
    receiver = await WebhookReceiver.start();
    const user = await server.people.user();
    environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
    session = user.session;
  });

  afterAll(async () => {
    await receiver.close();
    await server.close();
  });

  const webhooks = (...args: string[]) => cspm(['webhooks', ...args], { environment });
  const to = ['--to', 'https://hooks.example.com/x', '--event', 'scan.completed'];

  it('cspm webhooks creates, lists and tests a webhook, and lists its deliveries', async () => {
    expect(await webhooks()).toMatchObject({ code: 0, messages: 'There are no webhooks.\n' });
    const created = await webhooks('create', ...to, '--event', 'scan.failed');
    expect(created.output).toMatch(/secret {4}whsec_\S+\n/);
    const listed = JSON.parse((await webhooks('list', '--format', 'json')).output);
    expect(listed).toMatchObject([{ events: ['scan.completed', 'scan.failed'] }]);
    const [{ id }] = listed;
    expect((await webhooks('test', id)).messages).toMatch(/^Queued the test event msg_/);
    expect((await webhooks('deliveries', id)).output).toMatch(/pending {4}webhook\.test/);
  });

  it('cspm webhooks forwards new events to a receiver on this machine, signed with a secret of the session', async () => {
    const { output } = await webhooks('create', ...to, '--format', 'json');
    const { id } = JSON.parse(output);
    const listening = webhooks('listen', id, '--forward-to', receiver.url, '--count', '1');
    // It forwards what is queued after it has begun, so the first tests may be too early.
    await until('a forwarded event', async () => {
      await webhooks('test', id);
      return receiver.received.length > 0;
    });
    const { code, output: lines, messages } = await listening;
    expect(code).toBe(0);
    expect(lines).toMatch(/webhook\.test {2}204\n/);
    const [secret = ''] = /whsec_\S+/.exec(messages) ?? [];
    const [received] = receiver.received;
    const event = await verifyWebhook(received?.body ?? '', received?.headers ?? {}, secret);
    expect(event.type).toBe('webhook.test');
  });

  it('cspm webhooks forwards all events that were queued at once, also more than a page', async () => {
    const { output } = await webhooks('create', ...to, '--format', 'json');
    const { id } = JSON.parse(output);
    const queue = () =>
      server.call(`/webhooks/${id}/test`, {
        method: 'POST',
        headers: { 'x-api-key': environment['CSPM_API_KEY'] ?? '' },
      });
    const before = receiver.received.length;
    const listening = webhooks('listen', id, '--forward-to', receiver.url, '--count', '70');
    // It forwards what is queued after it has begun, so the first tests may be too early.
    await until('a forwarded event', async () => {
      await queue();
      return receiver.received.length > before;
    });
    await Promise.all(Array.from({ length: 70 }, queue));
    expect((await listening).code).toBe(0);
    const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(70);
  });

  it('cspm webhooks forwards an event once that several webhooks deliver', async () => {
    for (let created = 0; created < 2; created += 1) {
      await webhooks('create', '--to', 'https://hooks.example.com/x', '--event', 'api_key.created');
    }
    let keys = 0;
    const queue = () => {
      keys += 1;
      return server.call('/api-keys', {
        method: 'POST',
        headers: session,
        body: { name: `Key ${keys}` },
      });
    };
    const before = receiver.received.length;
    const listening = webhooks('listen', '--forward-to', receiver.url, '--count', '3');
    await until('a forwarded event', async () => {
      expect((await queue()).status).toBe(201);
      return receiver.received.length > before;
    });
    await Promise.all([queue(), queue()]);
    expect((await listening).code).toBe(0);
    const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
  });

  it('cspm webhooks forwards more than a page of events that are older than one that another webhook delivered', async () => {
    const tenant = await server.people.user();
    const own = { CSPM_URL: server.url, CSPM_API_KEY: tenant.key['x-api-key'] };
    for (let created = 0; created < 2; created += 1) {
      await cspm(['webhooks', 'create', ...to, '--event', 'api_key.created'], {
        environment: own,
      });
    }
    const listed = await cspm(['webhooks', 'list', '--format', 'json'], { environment: own });
    const [first, second] = JSON.parse(listed.output);
    const post = async (path: string, body?: object) => {
      const reply = await server.call(path, { method: 'POST', headers: tenant.session, body });
      expect(reply.status).toBeLessThan(300);
    };
    // A poll lists the deliveries of the first webhook, then those of the second. Between these two requests, 60 events are
    // queued for the first webhook, and then one for both.
    let lists = 0;
    const end = new AbortController();
    const proxy = await WebhookReceiver.start();
    proxy.reaction = async (response, { path, headers }) => {
      if (path.startsWith(`/webhooks/${second.id}/deliveries`)) {
        lists += 1;
        if (lists === 2) {
          await Promise.all(Array.from({ length: 60 }, () => post(`/webhooks/${first.id}/test`)));
          await post('/api-keys', { name: 'Key of both' });
        }
        // By then, a poll has listed everything.
        if (lists === 4) end.abort();
      }
      const { key } = tenant;
      const reply = await server.call(path, { headers: { ...key, accept: `${headers.accept}` } });
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.text);
    };
    const before = receiver.received.length;
    const listening = cspm(['webhooks', 'listen', '--forward-to', receiver.url, '--count', '61'], {
      environment: { ...own, CSPM_URL: new URL(proxy.url).origin },
      interrupted: end.signal,
    });
    await listening.catch((error: unknown) => {
      if (!end.signal.aborted) throw error;
    });
    await proxy.close();
    const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(61);
  });

  it.each([
    [['fly'], 'Unknown action "fly". Use one of: list, create, test, deliveries, listen.'],
    [['list', 'x'], 'Unexpected argument "x".'],
    [['create'], 'webhooks create needs --to and --event.'],
    [['test'], 'Missing argument: the webhook id.'],
    [['test', 'unknown'], 'No webhook has the id "unknown".'],
    [['listen'], 'webhooks listen needs --forward-to'],
    [['listen', '--forward-to', 'localhost:4000'], 'webhooks listen needs --forward-to'],
    [['listen', '--forward-to', 'http://localhost:4000', '--count', '0'], '--count must be'],
  ])('cspm webhooks refuses %j and exits with 2', async (args, message) => {
    const { code, messages } = await webhooks(...args);
    expect([code, messages]).toEqual([2, expect.stringContaining(message)]);
  });

  it('cspm webhooks prints why the service refuses a webhook, and exits with 4', async () => {
    const options = ['--to', 'http://hooks.example.com/', '--event', 'scan.failed'];
    const { code, messages } = await webhooks('create', ...options);
    expect([code, messages]).toEqual([4, expect.stringContaining('https')]);
  });
});
