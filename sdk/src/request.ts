import type { Core, Prepared } from './core.ts';
import { KEY_LIFE_MS, mintKey } from './idempotency.ts';
import { type InventorySource, openInventory } from './inventory.ts';
import type { Operation } from './operation.ts';
import type { KeyedCallOptions } from './options.ts';
import type { Payload } from './payload.ts';
import { type Input, placeInput, queryOf } from './url.ts';

const HOUR_MS = 3_600_000;

/**
 * Settles what every attempt of a call shares: address, payload, Idempotency-Key, and the bounds of it all.
 * @throws {ValidationError} for an input that cannot be placed.
 */
export function prepare(
  core: Core,
  operation: Operation,
  input: Input,
  ofCall: KeyedCallOptions,
): Prepared {
  const startedAt = core.clock.now();
  const { traits } = operation;
  const upload = traits.includes('i');
  const { target, rest } = placeInput(operation, input);
  const payload = payloadOf(traits, rest);
  const key = traits.includes('k') ? (ofCall.idempotencyKey ?? mintKey()) : undefined;
  const timeoutMs = ofCall.timeoutMs ?? core.timeoutMs ?? (upload ? HOUR_MS : 60_000);
  const tenantId = ofCall.tenantId ?? core.tenantId;
  const headers: Record<string, string> = {};
  if (key) headers['idempotency-key'] = key;
  if (tenantId) headers['x-tenant-id'] = tenantId;
  for (const [name, value] of Object.entries(ofCall.headers ?? {})) {
    headers[name.toLowerCase()] = value;
  }
  return {
    operation,
    url: core.baseUrl + target + (payload ? '' : queryOf(rest)),
    payload,
    signal: ofCall.signal,
    startedAt,
    deadline: startedAt + (key ? Math.min(timeoutMs, KEY_LIFE_MS) : timeoutMs),
    attemptTimeoutMs:
      ofCall.attemptTimeoutMs ?? core.attemptTimeoutMs ?? (upload ? HOUR_MS : 30_000),
    retry: ofCall.retry,
    headers,
  };
}

function payloadOf(traits: string, rest: Input): Payload | undefined {
  if (traits.includes('i')) return openInventory(rest['inventory'] as InventorySource);
  if (!traits.includes('j')) return undefined;
  // Serialised once for all attempts: an Idempotency-Key is worth nothing if the payload could change.
  const text = JSON.stringify(rest);
  return {
    open(headers) {
      headers['content-type'] ??= 'application/json';
      return text;
    },
  };
}
