import type { WebhookEvent } from '../webhook-events.gen.ts';

/** The headers of a request: a `Headers` object, or an object as Node and Express have it. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the time of the request may be from now. Default: 300 seconds. */
  readonly toleranceSeconds?: number | undefined;
  /** The time to compare with. Default: now. */
  readonly now?: Date | undefined;
}

/** The request is not a genuine event, or it is too old. Answer it with status 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const PREFIX = 'whsec_';
/** How an ArrayBuffer of any realm describes itself. */
const BUFFER = '[object ArrayBuffer]';
const TOLERANCE_SECONDS = 300;
/** More signatures than a rotation needs would only cost time. */
const MAX_SIGNATURES = 10;

/**
 * Verifies a request of a webhook (Standard Webhooks 1.0) and returns its event.
 *
 * @param payload the body as it was received, as text or bytes: parsed and serialized JSON has other bytes.
 * @param secret the signing secret, `whsec_…`; several while you rotate it.
 * @throws {WebhookVerificationError} for a request that is not genuine, or too old.
 * @throws {TypeError} for a secret that is not one, or a body that was parsed.
 */
export async function verifyWebhook(
  payload: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = await Promise.all([secret].flat().map(importKey));
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  const signatures = required(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('Invalid webhook-timestamp');
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (!(age <= toleranceSeconds)) {
    throw new WebhookVerificationError('webhook-timestamp is too old or in the future');
  }
  const body = bytesOf(payload);
  const signed = concat(encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned(signed, signatures.slice(0, MAX_SIGNATURES), keys))) {
    throw new WebhookVerificationError(
      'No signature matches: the secret is another one, or the body is not as it was received',
    );
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('The body is not JSON');
  }
}

/** Web Crypto compares in constant time. Every pair is tried, so that the time tells nothing about which one matches. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  keys: readonly CryptoKey[],
): Promise<boolean> {
  const versions = signatures.flatMap((each) => {
    const bytes = each.startsWith('v1,') ? fromBase64(each.slice(3)) : null;
    return bytes === null ? [] : [bytes];
  });
  const matches = await Promise.all(
    keys.flatMap((key) =>
      versions.map((bytes) => crypto.subtle.verify('HMAC', key, bytes, signed)),
    ),
  );
  return matches.includes(true);
}

function bytesOf(payload: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof payload === 'string') return encode(payload);
  // An object that a framework has parsed would become no bytes at all.
  if (!ArrayBuffer.isView(payload) && Object.prototype.toString.call(payload) !== BUFFER) {
    throw new TypeError('The payload is not text or bytes: pass the body as it was received');
  }
  return new Uint8Array(payload);
}

async function importKey(secret: string): Promise<CryptoKey> {
  const text = `${secret}`.trim();
  const bytes = fromBase64(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text);
  if (!secret || !bytes?.length) {
    throw new TypeError('The secret is missing, or is not the whsec_… of the webhook');
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
}

function required(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`${name} is missing`);
}

function headerOf(headers: WebhookHeaders, name: string): unknown {
  if (typeof headers.get === 'function') return headers.get(name);
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return found?.[1];
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    return null;
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
