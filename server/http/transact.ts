import type { Route } from '@cspm/contract';
import { z } from 'zod';
import { actorOf, type Origin, writeAuditWithCommit } from '../platform/audit-writer.ts';
import type { TenantReads } from '../platform/database/replica-reads.ts';
import type { TenantConnection, TenantDatabase } from '../platform/database/tenant-database.ts';
import type { AuditNote } from '../platform/handler.ts';
import type { Principal } from '../platform/principal.ts';
import type { Pause } from '../platform/tenant-turns.ts';
import { type KeyedRequest, keyedRequest, keyFrom, type StoredAnswer } from './idempotency.ts';
import { buildInTurns, hasManyItems } from './large-answer.ts';
import type { Endpoint } from './match.ts';
import { AUTHORIZED_FOR_MS, originOf, type RequestContext } from './request-context.ts';
import type { HttpServices } from './services.ts';

/** Validated input, and the handler that receives it. */
export interface Call {
  readonly input: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
  readonly handle: LooseHandler;
  /** Of the turns in which a stream is prepared. */
  readonly pause?: Pause;
}

/** Any handler, without the types of its route. */
export type LooseHandler =
  | LooseHandle
  | { prepare(context: Omit<LooseContext, 'db' | 'audit'>): Promise<LooseHandle> };

type LooseHandle = (context: LooseContext) => Promise<LooseResult>;

interface LooseContext {
  readonly input: Call['input'];
  readonly principal: Principal | null;
  readonly db: TenantConnection | null;
  readonly reads: TenantReads;
  readonly services: HttpServices;
  readonly origin: Origin;
  readonly upload: RequestContext['req'];
  readonly cookies: string | undefined;
  readonly cookieSession: boolean;
  readonly remaining: RequestContext['remaining'];
  readonly reauthorize: RequestContext['reauthorize'];
  readonly giveUp: RequestContext['giveUp'];
  readonly pause: Pause;
  audit(note: AuditNote): void;
}

interface LooseResult {
  readonly status: number;
  readonly body?: unknown;
  readonly stream?: AsyncIterable<string | Uint8Array>;
  readonly headers?: Record<string, string>;
}

/** A response, and whether it was replayed for an Idempotency-Key. */
export interface Answer extends StoredAnswer {
  readonly replayed: boolean;
  /** Replaces the body if the policy declares a stream. */
  readonly stream?: AsyncIterable<string | Uint8Array> | undefined;
  /** The JSON of a large body, which is not made a second time. */
  readonly json?: Buffer | undefined;
}

/**
 * Runs a handler as its policy says. Under `write`, the effect, the audit row, the idempotency record and the queued
 * job are one transaction, and the response is validated before the commit, so a client never sees half of it.
 */
export async function transact(
  requestContext: RequestContext,
  endpoint: Endpoint,
  call: Call,
  services: HttpServices,
): Promise<Answer> {
  const { principal } = requestContext;
  const { handle } = call;
  const origin = originOf(requestContext, services.clock);
  requestContext.origin = origin;
  if (principal !== null)
    services.unreadAnswers.checkRepeated(principal.tenant.id, requestContext.req);
  const keyed = keyedRequestOf(requestContext, endpoint, call);
  const runWith = (ready: LooseHandle) =>
    runReady(requestContext, endpoint, call, services, { handle: ready, keyed, origin });
  if (typeof handle === 'function') return runWith(handle);
  const bare = contextFor(requestContext, call, services, origin, null);
  const prepareAndRun = async () => runWith(await handle.prepare(bare));
  if (keyed === null || principal === null) return prepareAndRun();
  const { idempotency } = services;
  const { id: tenantId } = principal.tenant;
  // The preparation must not hold a transaction, so this one ends before it.
  const earlier = await databaseOf(endpoint, services).write(tenantId, (db) =>
    idempotency.begin(db, keyed),
  );
  if (earlier !== null) return { ...earlier, replayed: true };
  return idempotency.claim(tenantId, keyed, prepareAndRun);
}

/** Runs a handler that has nothing left to prepare. */
async function runReady(
  requestContext: RequestContext,
  endpoint: Endpoint,
  call: Call,
  services: HttpServices,
  {
    handle,
    keyed,
    origin,
  }: {
    readonly handle: LooseHandle;
    readonly keyed: KeyedRequest | null;
    readonly origin: Origin;
  },
): Promise<Answer> {
  const { principal } = requestContext;
  const { metadata: policy } = endpoint.route;
  if (policy.tx === 'none' || principal === null) {
    return run(endpoint, contextFor(requestContext, call, services, origin, null), handle);
  }
  const { tenant } = principal;
  if (policy.tx === 'read') {
    return readsFor(requestContext, services).read(tenant.id, (db) =>
      run(endpoint, contextFor(requestContext, call, services, origin, db), handle),
    );
  }
  return databaseOf(endpoint, services).write(tenant.id, (db) =>
    once(db, keyed, services, async () => {
      let note: AuditNote | null = null;
      const context = contextFor(requestContext, call, services, origin, db, (said) => {
        note = said;
      });
      const answer = await run(endpoint, context, handle);
      // It may have waited for a connection, or for a lock that was held until its access had ended.
      if (performance.now() - requestContext.authorizedAt > AUTHORIZED_FOR_MS) {
        await requestContext.reauthorize();
      }
      await auditEffect(db, endpoint, principal, origin, note);
      return answer;
    }),
  );
}

/** @returns null for a request without an Idempotency-Key, or to an endpoint that accepts none. */
function keyedRequestOf(
  { req, principal }: RequestContext,
  { name, route }: Endpoint,
  { input }: Call,
): KeyedRequest | null {
  if (principal === null || route.metadata.idempotency !== 'accepted') return null;
  const key = keyFrom(req.headers['idempotency-key']);
  if (key === null) return null;
  const { params, query, body } = req;
  return keyedRequest(principal, name, key, { validated: input, sent: { params, query, body } });
}

/** From a replica only where the policy allows it. */
function readsFor({ endpoint }: RequestContext, services: HttpServices): TenantReads {
  if (endpoint === null) return services.tenants;
  return endpoint.route.metadata.replica ? services.reads : databaseOf(endpoint, services);
}

function databaseOf({ route }: Endpoint, services: HttpServices): TenantDatabase {
  return route.metadata.identity ? services.identityTenants : services.tenants;
}

/** Runs the effect unless the key was used before, and stores the response under the key. */
async function once(
  db: TenantConnection,
  keyed: KeyedRequest | null,
  services: HttpServices,
  effect: () => Promise<Answer>,
): Promise<Answer> {
  if (keyed === null) return effect();
  const earlier = await services.idempotency.begin(db, keyed);
  if (earlier !== null) return { ...earlier, replayed: true };
  const answer = await effect();
  await services.idempotency.store(db, keyed, answer);
  return answer;
}

async function auditEffect(
  db: TenantConnection,
  endpoint: Endpoint,
  principal: Principal,
  origin: Origin,
  note: AuditNote | null,
): Promise<void> {
  const { audit } = endpoint.route.metadata;
  if (audit === 'none') return;
  await writeAuditWithCommit(db, origin, {
    action: audit,
    outcome: 'success',
    actor: actorOf(principal),
    targetTenantId: principal.tenant.id === principal.homeTenantId ? null : principal.tenant.id,
    subject: note?.subject ?? null,
    detail: note?.detail ?? {},
  });
}

async function run(
  endpoint: Endpoint,
  context: LooseContext,
  handle: LooseHandle,
): Promise<Answer> {
  const result = await handle(context);
  const { status, stream, headers = {} } = result;
  const answer = { status, stream, headers, replayed: false };
  if (endpoint.route.metadata.stream !== null) return { ...answer, body: undefined };
  const { principal, db } = context;
  const schema = schemaOf(endpoint, result);
  if (principal === null || schema === null || !(db?.hasReadMuch || hasManyItems(result.body))) {
    return { ...answer, body: validatedBody(endpoint, result, schema) };
  }
  const { id: tenantId } = principal.tenant;
  const building = buildInTurns(schema, result.body, tenantId, () => {
    // Other requests may have had an effect outside of the transaction.
    if (endpoint.route.method === 'GET') context.services.unreadAnswers.checkRoom(tenantId);
  });
  const built = await building.catch((error: unknown) => {
    throw error instanceof z.ZodError ? mismatch(endpoint, error) : error;
  });
  return { ...answer, ...built };
}

/**
 * Bodies that handlers return unchanged every time, by what they were reduced to. Checking the OpenAPI document takes
 * longer than the rest of its request.
 */
const constants = new WeakMap<object, unknown>();

/** Public responses that clients revalidate depend on nothing in the request. */
function isConstant({ metadata }: Route, body: unknown): body is object {
  return (
    metadata.cache === 'revalidate' &&
    metadata.credentials === 'public' &&
    typeof body === 'object' &&
    body !== null
  );
}

/** @returns null for a response whose body has no schema. */
function schemaOf({ name, route }: Endpoint, { status }: LooseResult): z.ZodType | null {
  if (!Object.hasOwn(route.responses, status)) {
    throw new Error(`${name} returned status ${status}, which its contract does not declare`);
  }
  const schema: unknown = route.responses[status];
  return schema instanceof z.ZodType ? schema : null;
}

/** The result of a handler, reduced to the shape of the contract; any other shape is a server error. */
function validatedBody(
  endpoint: Endpoint,
  { body }: LooseResult,
  schema: z.ZodType | null,
): unknown {
  if (schema === null) return body;
  const known = constants.get(body as object);
  if (known !== undefined) return known;
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw mismatch(endpoint, parsed.error);
  if (isConstant(endpoint.route, body)) constants.set(body, parsed.data);
  return parsed.data;
}

function mismatch({ name }: Endpoint, cause: z.ZodError): Error {
  return new Error(`${name} returned a response that does not match its contract`, { cause });
}

function contextFor(
  requestContext: RequestContext,
  call: Call,
  services: HttpServices,
  origin: Origin,
  db: TenantConnection | null,
  audit: (note: AuditNote) => void = () => undefined,
): LooseContext {
  return {
    input: call.input,
    principal: requestContext.principal,
    db,
    reads: readsFor(requestContext, services),
    services,
    origin,
    upload: requestContext.req,
    cookies: requestContext.req.headers.cookie,
    cookieSession: requestContext.cookieSession,
    remaining: requestContext.remaining,
    reauthorize: requestContext.reauthorize,
    giveUp: requestContext.giveUp,
    pause: call.pause ?? ((pending) => pending),
    audit,
  };
}
