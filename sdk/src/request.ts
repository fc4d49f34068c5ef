import type { Core, Prepared } from './core.ts';
import { addHeaders } from './headers.ts';
import { KEY_LIFE_MS, mintKey } from './idempotency.ts';
import { type InventorySource, openInventory } from './inventory.ts';
import type { Operation, Traits } from './operation.ts';
import type { KeyedCallOptions } from './options.ts';
import type { Payload } from './payload.ts';
import { sdkHeader } from './sdk-header.ts';
import { type Input, placeInput, queryOf } from './url.ts';

const HOUR_MS = 3_600_000;

/**
 * Prepares what all attempts of a call share: URL, payload, Idempotency-Key and time limits.
 * @throws {ValidationError} for an input that cannot be put into the path, or a header that cannot be sent.
 */
export function prepare(
  core: Core,
  operation: Operation,
  input: Input,
  ofCall: KeyedCallOptions,
): Prepared {
  const begunAt = core.clock.now();
  const { traits } = operation;
  const longMs = traits.uploaded && HOUR_MS;
  const { target, rest } = placeInput(operation, input);
  const payload = payloadOf(traits, rest);
  const key = traits.accepted && (ofCall.idempotencyKey ?? mintKey());
  const timeoutMs = ofCall.timeoutMs ?? core.timeoutMs ?? (longMs || 60_000);
  const headers: Record<string, string> = sdkHeader();
  addHeaders(headers, {
    'idempotency-key': key,
    'x-tenant-id': (ofCall.tenantId ?? core.tenantId) || false,
    ...core.headers,
    ...ofCall.headers,
  });
  return {
    ...ofCall,
    operation,
    url: core.baseUrl + target + (payload ? '' : queryOf(rest)),
    payload,
    begunAt,
    deadline: begunAt + Math.min(timeoutMs, key ? KEY_LIFE_MS : Infinity),
    attemptTimeoutMs: ofCall.attemptTimeoutMs ?? core.attemptTimeoutMs ?? (longMs || 30_000),
    headers,
  };
}

function payloadOf(traits: Traits, rest: Input): Payload | undefined {
  if (traits.uploaded) return openInventory(rest['inventory'] as InventorySource);
  if (!traits.encoded) return undefined;
  // Serialize once, because an Idempotency-Key requires the same payload in all attempts.
  const text = JSON.stringify(rest);
  return {
    open(headers) {
      headers['content-type'] ??= 'application/json';
      return text;
    },
  };
}
