import { Webhook as StandardWebhooks } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { describe, expect, it } from 'vitest';
import { newSigningSecret, signatureHeaders } from './secret.ts';

const secret = newSigningSecret();
const id = 'msg_0199c2a47c1e7a539d5e2f6f8f1f4b11';
const body = JSON.stringify({ type: 'webhook.test', data: { message: 'Grüße ✓' } });
const name = (header: 'id' | 'timestamp' | 'signature') => `webhook-${header}`;

type Headers = Record<string, string>;
const signed = (by: readonly string[] = [secret], at = new Date()): Headers =>
  signatureHeaders(by, { id, at, body });
const changed = (header: Parameters<typeof name>[0], change: (value: string) => string) => {
  const headers = signed();
  return { ...headers, [name(header)]: change(headers[name(header)] ?? '') };
};
const without = (header: Parameters<typeof name>[0]): Headers =>
  Object.fromEntries(Object.entries(signed()).filter(([each]) => each !== name(header)));
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Every mutation is made at the time of its test: a verifier must refuse it for what was changed, not for its age. */
const MUTATIONS: Record<string, () => readonly [string, Headers]> = {
  'a changed letter of the body': () => [body.replace('G', 'g'), signed()],
  'a space after the body': () => [`${body} `, signed()],
  'an empty body': () => ['', signed()],
  'another id': () => [body, changed('id', (value) => `${value}2`)],
  'no id': () => [body, without('id')],
  'a later time': () => [body, changed('timestamp', (value) => `${Number(value) + 1}`)],
  'no time': () => [body, without('timestamp')],
  'a signature of six minutes ago': () => [body, signed([secret], minutesAgo(6))],
  'a signature of in six minutes': () => [body, signed([secret], minutesAgo(-6))],
  'no signature': () => [body, without('signature')],
  'an empty signature': () => [body, changed('signature', () => 'v1,')],
  'a shortened signature': () => [body, changed('signature', (value) => value.slice(0, -4))],
  'a changed signature': () => [
    body,
    changed('signature', (value) =>
      value.replace(/^v1,./, (start) => `v1,${start.endsWith('A') ? 'B' : 'A'}`),
    ),
  ],
  'a signature of another version': () => [
    body,
    changed('signature', (value) => value.replace('v1,', 'v2,')),
  ],
  'a signature by another secret': () => [body, signed([newSigningSecret()])],
};

describe.each([
  ['standardwebhooks', StandardWebhooks],
  ['svix', Svix],
] as const)('the verifier of %s', (_library, Verifier) => {
  const verify = (content: string, headers: Headers) =>
    new Verifier(secret).verify(content, headers);

  it('an independent webhook library accepts our signatures', () => {
    expect(verify(body, signed())).toEqual(JSON.parse(body));
  });

  it('an independent webhook library accepts either secret after a rotation', () => {
    const old = newSigningSecret();
    const headers = signed([newSigningSecret(), secret]);
    expect(verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Verifier(old).verify(body, headers)).toThrow();
  });

  it.each(Object.entries(MUTATIONS))(
    'an independent webhook library refuses %s',
    (_what, mutation) => {
      expect(() => verify(...mutation())).toThrow();
    },
  );
});
