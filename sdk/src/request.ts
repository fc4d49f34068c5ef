import type { Clock } from './clock.ts';
import type { Prepared } from './core.ts';
import { KEY_LIFE_MS, mintKey } from './idempotency.ts';
import { type InventorySource, openInventory } from './inventory.ts';
import type { Operation } from './operation.ts';
import type { CallOptions, KeyedCallOptions } from './options.ts';
import { jsonPayload } from './payload.ts';
import { retrySettings } from './retry.ts';
import { type Input, placeInput } from './url.ts';

const HOUR_MS = 3_600_000;

/** What all requests of one client share. */
export interface Defaults {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly options: CallOptions;
  readonly clock: Clock;
}

/**
 * Settles what every attempt of a call shares: address, payload, Idempotency-Key, and the bounds of it all.
 * @throws {ValidationError} for an input that cannot be placed.
 */
export async function prepare(
  { baseUrl, options: defaults, clock }: Defaults,
  name: string,
  operation: Operation,
  input: Input,
  ofCall: KeyedCallOptions,
): Promise<Prepared> {
  const startedAt = clock.now();
  const { body, idempotency } = operation;
  const upload = body === 'inventory';
  const timeoutMs = ofCall.timeoutMs ?? defaults.timeoutMs ?? (upload ? HOUR_MS : 60_000);
  const key = idempotency === 'accepted' ? (ofCall.idempotencyKey ?? mintKey()) : undefined;
  const tenantId = operation.public ? undefined : (ofCall.tenantId ?? defaults.tenantId);
  const { target, rest } = placeInput(operation, input);
  const payload = upload
    ? await openInventory(rest['inventory'] as InventorySource)
    : body && jsonPayload(rest);
  const fixed = {
    accept: 'application/json',
    'content-type': payload?.contentType,
    'idempotency-key': key,
    'x-tenant-id': tenantId,
    ...ofCall.headers,
  };
  return {
    name,
    operation,
    url: baseUrl + target,
    payload,
    signal: ofCall.signal,
    startedAt,
    deadline: startedAt + timeoutMs,
    lastRetryAt: startedAt + (key ? Math.min(timeoutMs, KEY_LIFE_MS) : timeoutMs),
    attemptTimeoutMs:
      ofCall.attemptTimeoutMs ?? defaults.attemptTimeoutMs ?? (upload ? HOUR_MS : 30_000),
    retry: retrySettings(defaults.retry, ofCall.retry),
    headers() {
      const headers = new Headers();
      for (const [header, value] of Object.entries(fixed)) {
        if (value !== undefined) headers.set(header, value);
      }
      return headers;
    },
  };
}
