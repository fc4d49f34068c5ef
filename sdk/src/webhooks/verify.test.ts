import { createHmac, randomBytes } from 'node:crypto';
import { Webhook as Official } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from './index.ts';

const newSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Signs as Standard Webhooks 1.0 describes, without a library. */
function signatureHeaders(
  secrets: readonly string[],
  message: { id: string; at: Date; body: string },
) {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const signatures = secrets.map((each) => {
    const hmac = createHmac('sha256', Buffer.from(each.slice('whsec_'.length), 'base64'));
    return `v1,${hmac.update(`${message.id}.${timestamp}.${message.body}`).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

const secret = newSigningSecret();
const now = new Date('2026-11-20T08:00:00.400Z');
const id = 'msg_0199c2a47c1e7a539d5e2f6f8f1f4b11';
const body = JSON.stringify({
  type: 'webhook.test',
  timestamp: now.toISOString(),
  data: { webhookId: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36', message: 'Grüße ✓' },
});
const signed = (at = now, by: readonly string[] = [secret], content = body) =>
  signatureHeaders(by, { id, at, body: content });
const headers = signed();
const at = { now };

describe('verifyWebhook', () => {
  it('verifyWebhook returns the event, typed by its type', async () => {
    const event = await verifyWebhook(body, headers, secret, at);
    if (event.type !== 'webhook.test') throw new Error(event.type);
    expect(event.data.message).toBe('Grüße ✓');
  });

  it('verifyWebhook accepts text, bytes and buffers, and headers of fetch and of Node', async () => {
    const bytes = new TextEncoder().encode(body);
    const capitals = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    for (const payload of [body, bytes, bytes.buffer]) {
      for (const each of [headers, new Headers(headers), capitals]) {
        await expect(verifyWebhook(payload, each, secret, at)).resolves.toBeDefined();
      }
    }
  });

  it('verifyWebhook accepts any of several signatures and secrets', async () => {
    const old = newSigningSecret();
    const both = signed(now, [secret, old]);
    for (const one of [secret, old, [newSigningSecret(), old]]) {
      await expect(verifyWebhook(body, both, one, at)).resolves.toBeDefined();
    }
    const others = {
      ...headers,
      'webhook-signature': `v1a,xx v2,yy ${headers['webhook-signature']}`,
    };
    await expect(verifyWebhook(body, others, secret, at)).resolves.toBeDefined();
  });

  it('verifyWebhook accepts what the official library signs, and the official library accepts the same headers', async () => {
    const present = new Date();
    const official = new Official(secret);
    const theirs = {
      ...{ 'webhook-id': id, 'webhook-timestamp': `${Math.floor(present.getTime() / 1000)}` },
      'webhook-signature': official.sign(id, present, body),
    };
    await expect(verifyWebhook(body, theirs, secret)).resolves.toEqual(JSON.parse(body));
    expect(official.verify(body, signed(present))).toEqual(JSON.parse(body));
  });

  const change = (name: string, value: string | undefined) => ({ ...headers, [name]: value });
  const signature = headers['webhook-signature'] ?? '';
  const mutations: [string, string, Record<string, string | undefined>][] = [
    ['a changed body', body.replace('Gr', 'gr'), headers],
    ['a longer body', `${body} `, headers],
    ['an empty body', '', headers],
    ['another id', body, change('webhook-id', 'msg_2')],
    [
      'another time',
      body,
      change('webhook-timestamp', `${Number(headers['webhook-timestamp']) + 1}`),
    ],
    [
      'a time with another spelling',
      body,
      change('webhook-timestamp', `0${headers['webhook-timestamp']}`),
    ],
    ['no id', body, change('webhook-id', undefined)],
    ['no time', body, change('webhook-timestamp', undefined)],
    ['no signature', body, change('webhook-signature', undefined)],
    ['an empty signature', body, change('webhook-signature', 'v1,')],
    ['a signature without version', body, change('webhook-signature', signature.slice(3))],
    [
      'a signature of another version',
      body,
      change('webhook-signature', `v2,${signature.slice(3)}`),
    ],
    ['a shortened signature', body, change('webhook-signature', signature.slice(0, 20))],
    ['a signature in another case', body, change('webhook-signature', signature.toLowerCase())],
    ['a signature by another secret', body, signed(now, [newSigningSecret()])],
    ['a time that is not a number', body, change('webhook-timestamp', '1e9')],
  ];

  it.each(mutations)(
    'verifyWebhook refuses %s, as the official library does',
    async (_what, content, given) => {
      await expect(verifyWebhook(content, given, secret, at)).rejects.toThrow(
        WebhookVerificationError,
      );
      expect(() => new Official(secret).verify(content, given as Record<string, string>)).toThrow();
    },
  );

  it('verifyWebhook refuses requests from more than five minutes before or after now', async () => {
    for (const seconds of [-300, 300]) {
      const then = new Date(Math.floor(now.getTime() / 1000) * 1000 + seconds * 1000);
      const exact = { now: new Date(Math.floor(now.getTime() / 1000) * 1000) };
      await expect(verifyWebhook(body, signed(then), secret, exact)).resolves.toBeDefined();
    }
    for (const seconds of [-302, 302]) {
      const then = new Date(now.getTime() + seconds * 1000);
      await expect(verifyWebhook(body, signed(then), secret, at)).rejects.toThrow('too old');
    }
    const wide = { now, toleranceSeconds: 600 };
    const then = new Date(now.getTime() - 400_000);
    await expect(verifyWebhook(body, signed(then), secret, wide)).resolves.toBeDefined();
  });

  it('verifyWebhook refuses a signed body that is not JSON', async () => {
    const headersOfText = signed(now, [secret], 'text');
    await expect(verifyWebhook('text', headersOfText, secret, at)).rejects.toThrow('not JSON');
  });

  it.each(['', 'whsec_', 'whsec_###', undefined as unknown as string])(
    'verifyWebhook throws for the secret %j, which is a fault of the receiver and not of the request',
    async (wrong) => {
      await expect(verifyWebhook(body, headers, wrong, at)).rejects.toThrow(
        new TypeError('The secret is missing, or is not the whsec_… of the webhook'),
      );
    },
  );

  it('verifyWebhook accepts a secret with the line break that files and secret managers add', async () => {
    await expect(verifyWebhook(body, headers, `${secret}\n`, at)).resolves.toBeDefined();
  });

  it('verifyWebhook throws for a body that a framework has parsed', async () => {
    const parsed = [JSON.parse(body), [1], null, undefined, 5] as unknown as string[];
    for (const payload of parsed) {
      await expect(verifyWebhook(payload, headers, secret, at)).rejects.toThrow(
        new TypeError('The payload is not text or bytes: pass the body as it was received'),
      );
    }
  });
});
