import type { Contract, LimitName, Route } from '@cspm/contract';
import type { Request } from 'express';
import type { z } from 'zod';
import type { TenantConnection } from '../database/tenant-database.ts';
import type { Principal } from '../identity/principal.ts';
import type { Services } from '../services.ts';
import type { Origin } from './audit.ts';

/** What a handler adds to the audit row that its policy has written for it. */
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
 * All that a handler knows of a request. Credentials, limits, other tenants' rows, the transaction and the audit trail are
 * the pipeline's business; the policy of the route says which of these members are there.
 */
export interface Context<R extends Route> {
  readonly input: Input<R>;
  readonly principal: R['metadata']['credentials'] extends 'public' ? null : Principal;
  /** In the transaction of a `write`; absent under `none`. */
  readonly db: R['metadata']['tx'] extends 'none' ? null : TenantConnection;
  readonly services: Services;
  readonly origin: Origin;
  /** The body of an upload, and its headers. */
  readonly upload: Request;
  /** How many requests a limit leaves to the client in this window; null where that is not known. Counts nothing. */
  remaining(limit: LimitName): Promise<number | null>;
  /** Says what was done to what; the row itself is written by the pipeline. */
  audit(note: AuditNote): void;
}

type ResultOf<R extends Route> = R['metadata']['stream'] extends true ? Streamed : Whole<R>;

/** An answer that is sent while it is being made. */
interface Streamed {
  readonly status: 200;
  readonly stream: AsyncIterable<string>;
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

/** Handles one operation: reads top-down, throws a ProblemError to refuse. */
export type Handler<R extends Route> = (context: Context<R>) => Promise<ResultOf<R>>;

/** The handlers of one resource: one for each operation of the contract, or it does not compile. */
export type HandlersOf<K extends keyof Contract> = {
  readonly [O in keyof Contract[K]]: Contract[K][O] extends Route ? Handler<Contract[K][O]> : never;
};

export type Handlers = { readonly [K in keyof Contract]: HandlersOf<K> };
