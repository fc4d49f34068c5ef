import type { Core, Prepared } from './core.ts';
import { KEY_LIFE_MS, mintKey } from './idempotency.ts';
import { type InventorySource, openInventory } from './inventory.ts';
import type { Operation } from './operation.ts';
import type { KeyedCallOptions } from './options.ts';
import type { Payload } from './payload.ts';
import { retrySettings } from './retry.ts';
import { type Input, placeInput, queryOf } from './url.ts';

const HOUR_MS = 3_600_000;

/**
 * Settles what every attempt of a call shares: address, payload, Idempotency-Key, and the bounds of it all.
 * @throws {ValidationError} for an input that cannot be placed.
 */
export async function prepare(
  core: Core,
  operation: Operation,
  input: Input,
  ofCall: KeyedCallOptions,
): Promise<Prepared> {
  const startedAt = core.clock.now();
  const { traits } = operation;
  const upload = traits.includes('i');
  const { target, rest } = placeInput(operation, input);
  const payload = await (upload
    ? openInventory(rest['inventory'] as InventorySource)
    : jsonOf(traits, rest));
  const key = traits.includes('k') ? (ofCall.idempotencyKey ?? mintKey()) : undefined;
  const timeoutMs = ofCall.timeoutMs ?? core.timeoutMs ?? (upload ? HOUR_MS : 60_000);
  const given = {
    'content-type': payload?.contentType,
    'idempotency-key': key,
    'x-tenant-id': ofCall.tenantId ?? core.tenantId,
    ...ofCall.headers,
  };
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers[name.toLowerCase()] = value;
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
    retry: retrySettings(core.retry, ofCall.retry),
    headers,
  };
}

function jsonOf(traits: string, rest: Input): Payload | undefined {
  if (!traits.includes('j')) return undefined;
  // Serialised once for all attempts: an Idempotency-Key is worth nothing if the payload could change.
  const text = JSON.stringify(rest);
  return { contentType: 'application/json', open: () => text };
}
