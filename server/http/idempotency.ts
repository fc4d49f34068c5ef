import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { KeyRing } from '../platform/crypto/app-secrets.ts';
import { seal, unseal } from '../platform/crypto/seal.ts';
import type { Statement, TenantConnection } from '../platform/database/tenant-database.ts';
import type { Principal } from '../platform/principal.ts';
import { ProblemError, validationFailed } from '../platform/problem.ts';

export const KEY_LIFE_SECONDS = 24 * 3600;

/** A response that is stored: any 2xx. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

/** One use of an Idempotency-Key: the caller, the operation and the payload. */
export interface KeyedRequest {
  readonly principal: string;
  readonly operation: string;
  readonly key: string;
  /** Of the validated payload, with the defaults of this release. */
  readonly payloadHash: Buffer;
  /** Of the payload as it was sent: the same in every release. */
  readonly sentHash: Buffer;
}

/** The input of a request, before or after its validation. */
interface Payload {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * The Idempotency-Key of a request (draft-ietf-httpapi-idempotency-key-header §2.1), bare or as a quoted string.
 * @throws {ProblemError} VALIDATION_FAILED for one that is not 1 to 255 visible ASCII characters.
 */
export function keyFrom(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const value = String(header);
  const key = /^"(.*)"$/.exec(value)?.[1] ?? value;
  if (/^[!#-+\--~]{1,255}$/.test(key)) return key;
  throw validationFailed([
    {
      path: 'headers.idempotency-key',
      message: 'must be 1 to 255 visible ASCII characters without comma and quotation mark',
    },
  ]);
}

export function keyedRequest(
  principal: Principal,
  operation: string,
  key: string,
  { validated, sent }: { readonly validated: Payload; readonly sent: Payload },
): KeyedRequest {
  const owner = principal.user === null ? principal.kind : `user:${principal.user.id}`;
  return {
    principal: owner,
    operation,
    key,
    payloadHash: hashOf(validated),
    sentHash: hashOf(sent),
  };
}

function hashOf({ params, query, body }: Payload): Buffer {
  return createHash('sha256').update(canonical({ params, query, body })).digest();
}

/** Stores idempotency records in the transaction of the effect, so a crash leaves both or neither. */
export class IdempotencyRecords {
  readonly #keys: KeyRing;
  readonly #clock: Clock;
  /** Keys of requests of this process that run and may not hold their lock yet. */
  readonly #claimed = new Set<string>();

  constructor(keys: KeyRing, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /**
   * Reserves the key for this transaction. The reservation is a lock that ends with the transaction or its connection,
   * so a server that crashes frees the key immediately.
   * @returns the stored response of an earlier request, or null if the caller is the first.
   * @throws {ProblemError} IDEMPOTENCY_KEY_IN_USE or IDEMPOTENCY_KEY_MISMATCH.
   */
  async begin(db: TenantConnection, request: KeyedRequest): Promise<StoredAnswer | null> {
    const lock = lockOf(db.tenantId, request);
    const [row] = await db.sql<{ reserved: boolean }>(RESERVE, [lock]);
    const reserved = row?.reserved === true;
    // Read with or without the lock: the lock may be held by another repetition of a finished request.
    const [record] = await db.sql<RecordRow>(FIND, [
      request.principal,
      request.operation,
      request.key,
    ]);
    const opened =
      record !== undefined && record.expires_at > this.#clock.now()
        ? unseal(this.#keys, contextOf(db.tenantId, request), record.response)
        : null;
    if (opened === null && !reserved) throw keyInUse();
    if (record === undefined) return null;
    if (opened === null) {
      await db.sql(FORGET, [request.principal, request.operation, request.key]);
      return null;
    }
    const { body, headers, sent } = JSON.parse(opened);
    if (!isSamePayload(request, record.payload_hash, sent)) {
      throw new ProblemError(
        'IDEMPOTENCY_KEY_MISMATCH',
        'This Idempotency-Key was used with another payload.',
      );
    }
    return { status: record.status, body, headers };
  }

  /**
   * Claims the key in this process for a request that prepares before its transaction, when it cannot hold the lock of
   * `begin`. Another process may prepare the same request; only one of them runs in a transaction.
   * @throws {ProblemError} IDEMPOTENCY_KEY_IN_USE.
   */
  async claim<T>(tenantId: string, request: KeyedRequest, work: () => Promise<T>): Promise<T> {
    const lock = lockOf(tenantId, request);
    if (this.#claimed.has(lock)) throw keyInUse();
    this.#claimed.add(lock);
    try {
      return await work();
    } finally {
      this.#claimed.delete(lock);
    }
  }

  /** Stores the sealed response for repetitions of the request. */
  async store(db: TenantConnection, request: KeyedRequest, answer: StoredAnswer): Promise<void> {
    const { status, body, headers } = answer;
    const response = seal(
      this.#keys,
      contextOf(db.tenantId, request),
      JSON.stringify({ body, headers, sent: request.sentHash.toString('base64') }),
    );
    const expiresAt = new Date(this.#clock.now().getTime() + KEY_LIFE_SECONDS * 1000);
    await db.sql(STORE, [
      db.tenantId,
      request.principal,
      request.operation,
      request.key,
      request.payloadHash,
      status,
      response,
      expiresAt,
    ]);
  }
}

/**
 * Whether a repetition has the payload of the stored request. Another release may have stored it, with other defaults, so
 * the payloads as they were sent are compared too. Release 0.1.0 stored only the validated payload, which is the one that
 * was sent if it had no defaults then.
 * @param sent absent from records of 0.1.0.
 */
function isSamePayload(
  { payloadHash, sentHash }: KeyedRequest,
  stored: Buffer,
  sent: unknown,
): boolean {
  return (
    stored.equals(payloadHash) || stored.equals(sentHash) || sent === sentHash.toString('base64')
  );
}

interface RecordRow {
  status: number;
  payload_hash: Buffer;
  response: Buffer;
  expires_at: Date;
}

const RESERVE: Statement = {
  name: 'idempotency-reserve',
  reason: 'lock',
  text: 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS reserved',
};

const FIND: Statement = {
  name: 'idempotency-find',
  reason: 'hot path',
  text: `SELECT status, payload_hash, response, expires_at FROM idempotency_records
         WHERE tenant_id = current_tenant() AND principal = $1 AND route = $2 AND key = $3`,
};

const FORGET: Statement = {
  name: 'idempotency-forget',
  reason: 'hot path',
  text: `DELETE FROM idempotency_records
         WHERE tenant_id = current_tenant() AND principal = $1 AND route = $2 AND key = $3`,
};

const STORE: Statement = {
  name: 'idempotency-store',
  reason: 'hot path',
  text: `INSERT INTO idempotency_records
           (tenant_id, principal, route, key, payload_hash, status, response, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

function keyInUse(): ProblemError {
  return new ProblemError(
    'IDEMPOTENCY_KEY_IN_USE',
    'A request with this Idempotency-Key is still running.',
    { headers: { 'Retry-After': '1' } },
  );
}

function lockOf(tenantId: string, { principal, operation, key }: KeyedRequest): string {
  return JSON.stringify([tenantId, principal, operation, key]);
}

function contextOf(tenantId: string, request: KeyedRequest): string {
  return JSON.stringify([
    'idempotency',
    tenantId,
    request.principal,
    request.operation,
    request.key,
  ]);
}

/** JSON with sorted object members, so payloads with the same meaning have the same text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
