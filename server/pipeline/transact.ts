import type { Route } from '@cspm/contract';
import { z } from 'zod';
import type { TenantConnection } from '../database/tenant-database.ts';
import type { Principal } from '../identity/principal.ts';
import type { Services } from '../services.ts';
import { actorOf, type Origin, writeAudit } from './audit.ts';
import { type Exchange, originOf } from './exchange.ts';
import type { AuditNote } from './handler.ts';
import { type KeyedRequest, keyedRequest, keyFrom, type StoredAnswer } from './idempotency.ts';
import type { Endpoint } from './match.ts';

/** Input that has passed validation, and the handler that wants it. */
export interface Call {
  readonly input: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
  readonly handle: LooseHandler;
}

/** Any handler, seen without the types of its route. */
export type LooseHandler = (context: LooseContext) => Promise<LooseResult>;

interface LooseContext {
  readonly input: Call['input'];
  readonly principal: Principal | null;
  readonly db: TenantConnection | null;
  readonly services: Services;
  readonly origin: Origin;
  readonly upload: Exchange['req'];
  readonly remaining: Exchange['remaining'];
  audit(note: AuditNote): void;
}

interface LooseResult {
  readonly status: number;
  readonly body?: unknown;
  readonly stream?: AsyncIterable<string>;
  readonly headers?: Record<string, string>;
}

/** An answer, and whether it is that of an earlier request with the same key. */
export interface Answer extends StoredAnswer {
  readonly replayed: boolean;
  /** In the place of a body, under a policy that says so. */
  readonly stream?: AsyncIterable<string> | undefined;
}

/**
 * Runs a handler the way its policy says. Under `write`, its effect, the audit row, the idempotency record and the queued
 * job are one transaction, and the answer is validated before it commits: a client is told of all of it or of nothing.
 */
export async function transact(
  exchange: Exchange,
  endpoint: Endpoint,
  call: Call,
  services: Services,
): Promise<Answer> {
  const { principal } = exchange;
  const { metadata: policy } = endpoint.route;
  const origin = originOf(exchange, services.clock);
  exchange.origin = origin;
  if (policy.tx === 'none' || principal === null) {
    return run(endpoint, contextFor(exchange, call, services, origin, null), call);
  }
  const { tenant } = principal;
  if (policy.tx === 'read') {
    return services.tenants.read(tenant.id, (db) =>
      run(endpoint, contextFor(exchange, call, services, origin, db), call),
    );
  }
  const key =
    policy.idempotency === 'accepted' ? keyFrom(exchange.req.headers['idempotency-key']) : null;
  const keyed = key === null ? null : keyedRequest(principal, endpoint.name, key, call.input);
  return services.tenants.write(tenant.id, (db) =>
    once(db, keyed, services, async () => {
      let note: AuditNote | null = null;
      const context = contextFor(exchange, call, services, origin, db, (said) => {
        note = said;
      });
      const answer = await run(endpoint, context, call);
      await auditEffect(db, endpoint, principal, origin, note);
      return answer;
    }),
  );
}

/** Runs the effect, unless the key says that it has been had; keeps the answer under the key. */
async function once(
  db: TenantConnection,
  keyed: KeyedRequest | null,
  services: Services,
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
  await writeAudit(db, origin, {
    action: audit,
    outcome: 'success',
    actor: actorOf(principal),
    targetTenantId: principal.tenant.id === principal.homeTenantId ? null : principal.tenant.id,
    subject: note?.subject ?? null,
    detail: note?.detail ?? {},
  });
}

async function run(endpoint: Endpoint, context: LooseContext, call: Call): Promise<Answer> {
  const result = await call.handle(context);
  return {
    status: result.status,
    body: endpoint.route.metadata.stream
      ? undefined
      : validatedBody(endpoint.route, result, endpoint.name),
    stream: result.stream,
    headers: result.headers ?? {},
    replayed: false,
  };
}

/** What a handler returned, cut down to the shape that the contract promises; anything else is a fault of ours. */
function validatedBody(route: Route, result: LooseResult, name: string): unknown {
  if (!Object.hasOwn(route.responses, result.status)) {
    throw new Error(`${name} answered ${result.status}, which its contract does not declare`);
  }
  const schema: unknown = route.responses[result.status];
  if (!(schema instanceof z.ZodType)) return result.body;
  const parsed = schema.safeParse(result.body);
  if (parsed.success) return parsed.data;
  throw new Error(`${name} answered what its contract does not promise`, { cause: parsed.error });
}

function contextFor(
  exchange: Exchange,
  call: Call,
  services: Services,
  origin: Origin,
  db: TenantConnection | null,
  audit: (note: AuditNote) => void = () => undefined,
): LooseContext {
  return {
    input: call.input,
    principal: exchange.principal,
    db,
    services,
    origin,
    upload: exchange.req,
    remaining: exchange.remaining,
    audit,
  };
}
