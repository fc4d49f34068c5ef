import { createHmac } from 'node:crypto';
import { check, same } from '../check.ts';
import type { SubpathCase } from './case.ts';
import type { Parts } from './parts.ts';

const NOW = new Date('2026-11-20T08:00:00Z');
const BODY =
  '{"type":"webhook.test","timestamp":"2026-11-20T08:00:00.000Z","data":{"name":"Bücher"}}';
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;

/** Verification of webhooks. */
export const webhooks: readonly SubpathCase[] = [
  {
    id: 'wh.genuine',
    subpath: 'webhooks',
    title: 'returns the event of a genuine request, from text, bytes and headers of each kind',
    async run(parts) {
      const headers = signed();
      for (const body of [BODY, new TextEncoder().encode(BODY)])
        for (const given of [headers, new Headers(headers)])
          same(await verify(parts, body, given), 'webhook.test', 'the event');
    },
  },
  refuses('wh.forged', 'a body that was changed', (parts) => verify(parts, `${BODY} `, signed())),
  refuses('wh.other-secret', 'a signature of another secret', (parts) =>
    verify(parts, BODY, signed({ secret: OTHER })),
  ),
  refuses('wh.other-id', 'a genuine signature under another id', (parts) =>
    verify(parts, BODY, { ...signed(), 'webhook-id': 'msg_2' }),
  ),
  refuses('wh.old', 'a request that is older than five minutes', (parts) =>
    verify(parts, BODY, signed({ secondsAgo: 301 })),
  ),
  refuses('wh.future', 'a request of the future', (parts) =>
    verify(parts, BODY, signed({ secondsAgo: -301 })),
  ),
  refuses('wh.unsigned', 'a request without a signature', (parts) =>
    verify(parts, BODY, { ...signed(), 'webhook-signature': '' }),
  ),
  {
    id: 'wh.rotation',
    subpath: 'webhooks',
    title: 'accepts either secret during a rotation, and several signatures of one request',
    async run(parts) {
      const [before, after] = [signed({ secret: OTHER }), signed()];
      const secrets = [SECRET, OTHER];
      same(await verify(parts, BODY, before, secrets), 'webhook.test', 'the event');
      const both = `${before['webhook-signature']} ${after['webhook-signature']}`;
      const headers = { ...after, 'webhook-signature': both };
      same(await verify(parts, BODY, headers), 'webhook.test', 'the event');
    },
  },
];

function refuses(
  id: string,
  what: string,
  attempt: (parts: Parts) => Promise<unknown>,
): SubpathCase {
  return {
    id,
    subpath: 'webhooks',
    title: `refuses ${what}`,
    async run(parts) {
      const error: unknown = await attempt(parts).then(
        () => undefined,
        (cause) => cause,
      );
      check(error !== undefined, 'the request was accepted');
      same((error as Error).name, 'WebhookVerificationError', 'the error');
    },
  };
}

async function verify(
  { verifyWebhook }: Parts,
  body: string | Uint8Array,
  headers: Headers | Record<string, string>,
  secrets: string | readonly string[] = SECRET,
): Promise<string> {
  return (await verifyWebhook(body, headers, secrets, { now: NOW })).type;
}

function signed({ secret = SECRET, secondsAgo = 0 } = {}): Record<string, string> {
  const timestamp = `${NOW.getTime() / 1000 - secondsAgo}`;
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`msg_1.${timestamp}.${BODY}`)
    .digest('base64');
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
