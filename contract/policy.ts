import type { Feature } from './features.ts';
import type { LimitName } from './limits.ts';
import type { Permission } from './permissions.ts';
import type { ProblemCode } from './problem.ts';

/** The kinds of credential, in the order in which they are looked for; the first one presented decides. */
export const CREDENTIAL_KINDS = ['jwt', 'api_key'] as const;

export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** What the audit trail calls each thing that can happen. */
export const AUDIT_ACTIONS = [
  'auth.login',
  'auth.refresh',
  'auth.logout',
  'api_key.created',
  'api_key.revoked',
  'project.created',
  'project.deleted',
  'inventory.uploaded',
  'scan.launched',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * All that is decided about one endpoint besides its shapes. The server's guards, limiter, idempotency records and
 * audit rows, the OpenAPI document, the SDK's retries and the negative tests are all derived from this one object.
 */
export interface RoutePolicy {
  /** Kinds of credential that are taken; `public`: none is looked at. */
  readonly credentials: readonly CredentialKind[] | 'public';
  readonly permission: Permission | null;
  /** Wants a session that has passed a second factor. */
  readonly mfa: boolean;
  readonly feature: Feature | null;
  /**
   * `default`: the operator's general limit alone; a name: that tighter limit besides; `none`: outside all limits,
   * for the probes of an orchestrator.
   */
  readonly limit: LimitName | 'default' | 'none';
  /**
   * What a repetition does. `safe`: changes nothing. `natural`: has the effect of one. `accepted`: the endpoint takes
   * an Idempotency-Key, and with one a repetition is answered from the record. `none`: repeating repeats the effect.
   */
  readonly idempotency: 'safe' | 'natural' | 'accepted' | 'none';
  /** Written in the transaction of the change. `none` only where nothing changes. */
  readonly audit: AuditAction | 'none';
  /**
   * How the handler meets the database. `write`: one transaction around effect, audit, idempotency record and queued
   * job. `read`: a connection bound to the tenant. `none`: the handler sees to it itself, step by step.
   */
  readonly tx: 'write' | 'read' | 'none';
  /** What is sent: nothing, JSON of at most 1 MiB, or an inventory of any size as a stream. */
  readonly body: 'none' | 'json' | 'inventory';
  /** Problems that the handler itself may answer with, beyond those that the policy implies. */
  readonly problems: readonly ProblemCode[];
}

interface PolicyInput {
  /** `any`: every kind of credential; `session`: a person who signed in, never a key. */
  readonly auth: 'public' | 'any' | 'session';
  readonly permission?: Permission;
  readonly mfa?: boolean;
  readonly feature?: Feature;
  readonly limit?: LimitName | 'none';
  readonly idempotency: RoutePolicy['idempotency'];
  readonly audit?: AuditAction;
  readonly tx: RoutePolicy['tx'];
  readonly body?: RoutePolicy['body'];
  readonly problems?: readonly ProblemCode[];
}

/** A policy whose transaction and openness are known to the type checker, so that a handler gets just what it may use. */
type PolicyOf<P extends PolicyInput> = RoutePolicy & {
  readonly tx: P['tx'];
  readonly credentials: P['auth'] extends 'public' ? 'public' : readonly CredentialKind[];
};

/** Writes a policy down, with what is left out at its strictest or plainest. */
export function policy<const P extends PolicyInput>(input: P): PolicyOf<P> {
  return {
    credentials: credentialsOf(input.auth) as PolicyOf<P>['credentials'],
    permission: input.permission ?? null,
    mfa: input.mfa ?? false,
    feature: input.feature ?? null,
    limit: input.limit ?? 'default',
    idempotency: input.idempotency,
    audit: input.audit ?? 'none',
    tx: input.tx,
    body: input.body ?? 'none',
    problems: input.problems ?? [],
  };
}

function credentialsOf(auth: PolicyInput['auth']): RoutePolicy['credentials'] {
  if (auth === 'public') return 'public';
  return auth === 'session' ? ['jwt'] : CREDENTIAL_KINDS;
}
