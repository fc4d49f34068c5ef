import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebhookReceiver } from '../tests/kit/webhook-receiver.ts';
import { run } from './run.ts';
import { commandLine } from './testing/command-line.ts';

const WEBHOOKS = { items: [{ id: 'first' }, { id: 'second' }], nextCursor: null };
const DELIVERY = {
  id: 'a-delivery',
  messageId: 'msg_1',
  type: 'webhook.test',
  createdAt: '2026-11-20T08:00:00.000Z',
  payload: { type: 'webhook.test' },
};

describe('cspm webhooks listen', () => {
  const cspm = commandLine();
  let service: WebhookReceiver;
  let receiver: WebhookReceiver;
  /** Requests for the deliveries of the second webhook. */
  let lists: number;
  /** Whether the service refuses this request for the deliveries of the second webhook. */
  let isRefused: (list: number) => boolean;

  beforeEach(async () => {
    [service, receiver] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    lists = 0;
    isRefused = () => false;
    service.reaction = (response, { path }) => {
      if (path.includes('/second/') && isRefused(++lists)) {
        response.writeHead(503).end();
        return;
      }
      // The event is queued after the first look at both webhooks.
      const items = path.includes('/first/') && lists > 0 ? [DELIVERY] : [];
      const page = path.includes('/deliveries') ? { items, nextCursor: null } : WEBHOOKS;
      response.writeHead(200, { 'content-type': 'application/json', 'x-correlation-id': 'one' });
      response.end(JSON.stringify(page));
    };
  });

  afterEach(async () => {
    await service.close();
    await receiver.close();
  });

  const environment = () => ({ CSPM_URL: service.url, CSPM_API_KEY: 'cspm_key' });
  const listen = () => ['webhooks', 'listen', '--forward-to', receiver.url];

  it('cspm webhooks listen continues after an outage of the service, and forwards what was queued before it', async () => {
    // All attempts of a poll that has already listed the event.
    isRefused = (list) => list > 1 && list <= 4;
    const { code, output, messages } = await cspm([...listen(), '--count', '1'], {
      environment: environment(),
    });
    expect(messages).toContain('The service is not available (HTTP_503');
    expect(code).toBe(0);
    expect(output).toMatch(/webhook\.test {2}204\n/);
    expect(receiver.received).toHaveLength(1);
    expect(lists).toBeGreaterThan(4);
  });

  it('cspm webhooks listen ends without waiting for a receiver when it is interrupted', async () => {
    const interruption = new AbortController();
    // It does not answer.
    receiver.reaction = () => interruption.abort(new Error('Interrupted'));
    const output = new PassThrough();
    const listening = run(listen(), {
      input: Readable.from([]),
      output,
      messages: new PassThrough().resume(),
      isTerminal: { input: false, output: false, messages: false },
      environment: environment(),
      interrupted: interruption.signal,
    });
    await expect(listening).rejects.toThrow('Interrupted');
    output.end();
    expect(await text(output)).toBe('');
  });
});
