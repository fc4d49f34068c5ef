import { createHmac, randomBytes } from 'node:crypto';
import type { KeyRing } from '../../platform/crypto/app-secrets.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';

const PREFIX = 'whsec_';
/** Standard Webhooks 1.0 requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** The purpose of the keys that encrypt signing secrets. */
export const WEBHOOK_KEYS = 'webhook secret';

/** A new signing secret in the form of Standard Webhooks 1.0. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The secret as it is stored. It can be opened for this webhook alone. */
export function sealSecret(keys: KeyRing, webhookId: string, secret: string): Buffer {
  return seal(keys, contextOf(webhookId), secret);
}

/** @returns null when it was sealed under a secret of the operator that is no longer configured. */
export function openSecret(keys: KeyRing, webhookId: string, sealed: Uint8Array): string | null {
  return unseal(keys, contextOf(webhookId), sealed);
}

function contextOf(webhookId: string): string {
  return `webhook ${webhookId}`;
}

/** What is signed: a message, its id, and the time of the attempt. */
export interface SignedMessage {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** The headers of Standard Webhooks 1.0, with one signature for each secret. */
export function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: SignedMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
