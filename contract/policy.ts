import type { Deprecation } from './deprecation.ts';
import type { Feature } from './features.ts';
import type { LimitName } from './limits.ts';
import type { Permission } from './permissions.ts';
import type { ProblemCode } from './problem.ts';

/** The kinds of credential. Of those presented the master key decides, else the session, else the key. */
export const CREDENTIAL_KINDS = ['jwt', 'api_key', 'global_api_key', 'master_key'] as const;

export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** What the audit trail calls each thing that can happen. */
export const AUDIT_ACTIONS = [
  'auth.login',
  'auth.refresh',
  'auth.logout',
  'auth.logout_all',
  'session.revoked',
  'two_factor.setup',
  'two_factor.enabled',
  'two_factor.verified',
  'two_factor.disabled',
  'two_factor.recovery_codes_replaced',
  'auth.register',
  'auth.verify_email',
  'auth.resend_verification',
  'auth.forgot_password',
  'auth.reset_password',
  'auth.accept_invite',
  'auth.change_password',
  'auth.google',
  'auth.saml',
  'auth.exchange',
  'saml.settings_changed',
  'saml.settings_deleted',
  'api_key.created',
  'api_key.revoked',
  'user.invited',
  'user.updated',
  'user.removed',
  'role.created',
  'role.updated',
  'role.deleted',
  'tenant.updated',
  'tenant.created',
  'tenant.features_set',
  'user.created',
  'user.two_factor_reset',
  'project.created',
  'project.updated',
  'project.deleted',
  'inventory.uploaded',
  'scan.launched',
  'scan.cancelled',
  'mute.created',
  'mute.deleted',
  'profile.created',
  'profile.updated',
  'profile.deleted',
  'custom_rule.created',
  'custom_rule.updated',
  'custom_rule.deleted',
  'global_key.used',
  'break_glass.used',
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
  /** What is sent: nothing, JSON of at most 1 MiB, a form of at most 256 KiB, or an inventory of any size as a stream. */
  readonly body: 'none' | 'json' | 'form' | 'inventory';
  /**
   * Whether the answer is sent piece by piece as the handler makes it, in the content type that the route declares. Such a
   * handler works without a transaction: none may wait for a slow reader.
   */
  readonly stream: boolean;
  /** Problems that the handler itself may answer with, beyond those that the policy implies. */
  readonly problems: readonly ProblemCode[];
  /** That the operation is to go away; null: it stays. */
  readonly deprecated: Deprecation | null;
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
  readonly stream?: true;
  readonly problems?: readonly ProblemCode[];
  readonly deprecated?: Deprecation;
}

/** A policy whose transaction and openness are known to the type checker, so that a handler gets just what it may use. */
type PolicyOf<P extends PolicyInput> = RoutePolicy & {
  readonly tx: P['tx'];
  readonly stream: P['stream'] extends true ? true : false;
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
    stream: (input.stream ?? false) as PolicyOf<P>['stream'],
    problems: input.problems ?? [],
    deprecated: input.deprecated ?? null,
  };
}

function credentialsOf(auth: PolicyInput['auth']): RoutePolicy['credentials'] {
  if (auth === 'public') return 'public';
  return auth === 'session' ? ['jwt'] : CREDENTIAL_KINDS;
}
