import type { Contract, LimitName, Route, StreamName } from '@cspm/contract';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Origin } from './audit-writer.ts';
import type { TenantReads } from './database/replica-reads.ts';
import type { TenantConnection } from './database/tenant-database.ts';
import type { Principal } from './principal.ts';
import type { ProblemError } from './problem.ts';
import type { Pause } from './tenant-turns.ts';

/** What a handler adds to the audit row that the pipeline writes for it. */
export interface AuditNote {
  readonly subject: string;
  readonly detail?: Record<string, unknown>;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

interface Input<R extends Route> {
  readonly params: Parsed<R['pathParams']>;
  readonly query: R extends { readonly query: infer Q } ? Parsed<Q> : undefined;
  readonly body: R extends { readonly body: infer B } ? Parsed<B> : undefined;
}

/**
 * Everything that a handler sees of a request. The pipeline handles credentials, limits, tenant isolation, the
 * transaction and the audit trail; the policy of the route determines which members are present.
 */
export interface Context<R extends Route, S> {
  readonly input: Input<R>;
  readonly principal: R['metadata']['credentials'] extends 'public' ? null : Principal;
  /** The transaction of a `write`; absent under `none`. */
  readonly db: R['metadata']['tx'] extends 'none' ? null : TenantConnection;
  /** For reads of a handler without a connection; from a replica where the policy allows it. */
  readonly reads: TenantReads;
  readonly services: S;
  readonly origin: Origin;
  /** The body of an upload, and its headers. */
  readonly upload: Request;
  /** The `Cookie` header. It authenticates no request: it binds a sign-in to its browser and renews or ends a session. */
  readonly cookies: string | undefined;
  /** Whether the client keeps its refresh token in the session cookie: `X-Session-Transport: cookie`, from our own page. */
  readonly cookieSession: boolean;
  /** How many requests a limit leaves to the client in this window; null if unknown. Does not count a request. */
  remaining(limit: LimitName): Promise<number | null>;
  /**
   * Authenticates and authorizes the request again, for handlers that read its body themselves.
   * @throws {ProblemError} the refusal of a request that is sent now.
   */
  reauthorize(): Promise<void>;
  /** Answers before the body has arrived, and ends the body, which then fails as if the client had disconnected. */
  giveUp(problem: ProblemError): void;
  /** Waits for a statement of a stream, so that streams of other tenants are prepared meanwhile. */
  readonly pause: Pause;
  /** Adds to the audit row, which the pipeline writes. */
  audit(note: AuditNote): void;
}

type ResultOf<R extends Route> = R['metadata']['stream'] extends StreamName ? Streamed : Whole<R>;

/** A response that is sent while it is generated. */
interface Streamed {
  readonly status: 200;
  readonly stream: AsyncIterable<string | Uint8Array>;
  readonly headers?: Record<string, string>;
}

type Whole<R extends Route> = {
  [S in keyof R['responses'] & number]: {
    readonly status: S;
    readonly body: BodyOf<R['responses'][S]>;
    readonly headers?: Record<string, string>;
  };
}[keyof R['responses'] & number];

type BodyOf<T> = T extends z.ZodType
  ? z.input<T>
  : T extends { readonly body: z.ZodType<infer B> }
    ? B
    : undefined;

/** Handles one operation, and throws a ProblemError to refuse it. */
export type Handler<R extends Route, S> = Handle<R, S> | PreparedHandler<R, S>;

type Handle<R extends Route, S> = (context: Context<R, S>) => Promise<ResultOf<R>>;

/** A handler with work that may wait or takes long, which must not hold a transaction. */
interface PreparedHandler<R extends Route, S> {
  /**
   * Runs before the transaction, but not for a request whose response is replayed for its Idempotency-Key.
   * @returns what runs in the transaction.
   */
  prepare(context: Omit<Context<R, S>, 'db' | 'audit'>): Promise<Handle<R, S>>;
}

/**
 * The handlers of one resource: exactly one per operation of the contract, checked by the compiler.
 * `S` names the services that they use.
 */
export type HandlersOf<K extends keyof Contract, S = object> = {
  readonly [O in keyof Contract[K]]: Contract[K][O] extends Route
    ? Handler<Contract[K][O], S>
    : never;
};

/** The handlers of all resources, with the services that all of them need. */
export type Handlers<S> = { readonly [K in keyof Contract]: HandlersOf<K, S> };
