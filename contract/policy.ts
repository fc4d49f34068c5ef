import type { Deprecation } from './deprecation.ts';
import type { Feature } from './features.ts';
import type { LimitName, StreamName } from './limits.ts';
import type { Permission } from './permissions.ts';
import type { ProblemCode } from './problem.ts';

/**
 * The kinds of credential. If several are presented, the master key takes precedence, then the session, then the API
 * key.
 */
export const CREDENTIAL_KINDS = ['jwt', 'api_key', 'global_api_key', 'master_key'] as const;

export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** How each kind is sent and obtained, for a caller that does not know our names of them. */
const CREDENTIALS: Readonly<Record<CredentialKind, string>> = {
  jwt: 'an access token (Authorization: Bearer …, from POST /auth/login)',
  api_key: 'an API key of a user (X-API-Key: cspm_…, from POST /api-keys)',
  global_api_key: 'the global API key of the operator (X-API-Key)',
  master_key: 'the master key of the operator (X-Master-Key)',
};

/** The detail of CREDENTIAL_NOT_ALLOWED. */
export function acceptedCredentials(kinds: readonly CredentialKind[]): string {
  const accepted = kinds.map((kind) => CREDENTIALS[kind]).join('; ');
  return `This endpoint does not accept your credential. Send ${kinds.length > 1 ? 'one of: ' : ''}${accepted}.`;
}

/** The actions recorded in the audit trail. */
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
  'auth.confirm',
  'auth.confirm_mail',
  'saml.settings_changed',
  'saml.settings_deleted',
  'domain.added',
  'domain.verified',
  'domain.removed',
  'api_key.created',
  'api_key.revoked',
  'user.invited',
  'user.invitation_resent',
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
  'source.changed',
  'source.deleted',
  'source.pull_requested',
  'source.pulled',
  'source.failed',
  'scan.launched',
  'scan.cancelled',
  'schedule.created',
  'schedule.updated',
  'schedule.deleted',
  'schedule.disabled',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.tested',
  'webhook.redelivered',
  'webhook.disabled',
  'mute.created',
  'mute.deleted',
  'mute.bulk_created',
  'view.created',
  'view.updated',
  'view.deleted',
  'notifications.updated',
  'notifications.unsubscribed',
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
 * Everything about an endpoint besides its request and response shapes. The server's guards, rate limiter, idempotency
 * records and audit rows, the OpenAPI document, the SDK's retries and the negative tests are all derived from this
 * object.
 */
export interface RoutePolicy {
  /** Accepted kinds of credential; `public`: credentials are ignored. */
  readonly credentials: readonly CredentialKind[] | 'public';
  /** All of these are required; empty: no permission is required. */
  readonly permissions: readonly Permission[];
  /** Requires a session that has passed a second factor. */
  readonly mfa: boolean;
  readonly feature: Feature | null;
  /**
   * `default`: only the operator's general limit; a name: that tighter limit in addition; `none`: no limit, for the
   * probes of an orchestrator.
   */
  readonly limit: LimitName | 'default' | 'none';
  /**
   * The effect of a repeated request. `safe`: changes nothing. `natural`: has the same effect as one. `accepted`: the
   * endpoint accepts an Idempotency-Key, and a repetition with the same key gets the stored response. `none`: repeats
   * the effect.
   */
  readonly idempotency: 'safe' | 'natural' | 'accepted' | 'none';
  /** Written in the same transaction as the change. `none` only if nothing changes. */
  readonly audit: AuditAction | 'none';
  /**
   * The handler's database access. `write`: one transaction around effect, audit event, idempotency record and queued
   * job. `read`: a connection bound to the tenant. `none`: the handler manages its own transactions.
   */
  readonly tx: 'write' | 'read' | 'none';
  /**
   * Whether its transaction is about people, sessions, keys and settings of the tenant. Tenants on several databases share
   * the one that holds these rows (the schema `identity`); everything else is in the database of the tenant.
   */
  readonly identity: boolean;
  /**
   * Whether its reads may be served by a read replica that has replayed everything committed before the request. Only for
   * operations that change nothing, and never for decisions about credentials.
   */
  readonly replica: boolean;
  /**
   * The request body: nothing, JSON of at most 1 MiB, a form of at most 256 KiB, or an inventory as a stream of any
   * size.
   */
  readonly body: 'none' | 'json' | 'form' | 'inventory';
  /**
   * Set if the handler streams its response in the content type that the route declares: the kind of open stream it
   * counts as (`OPEN_STREAMS`). Such a handler holds no transaction, because a transaction must not wait for a slow
   * reader.
   */
  readonly stream: StreamName | null;
  /**
   * `revalidate`: clients may keep the response, and ask with `If-None-Match` whether it has changed. Only for operations
   * that change nothing. Public responses are the same for everybody while a process runs, and are sent compressed.
   */
  readonly cache: 'revalidate' | 'none';
  /**
   * Accepts `X-Session-Transport: cookie`: the refresh token then travels in an HttpOnly cookie instead of the body, and
   * only pages of this service may send the request.
   */
  readonly sessionTransport: boolean;
  /**
   * Browsers open the operation as a page, with a link or a form. A refusal of such a request redirects to
   * `/auth/callback` with the code of the problem, because a person reads it.
   */
  readonly navigation: boolean;
  /** Problems that the handler itself can return, in addition to those implied by the policy. */
  readonly problems: readonly ProblemCode[];
  /** The deprecation of the operation; null if it is not deprecated. */
  readonly deprecated: Deprecation | null;
}

interface PolicyInput {
  /**
   * `any`: every kind of credential; `person`: only one that belongs to a person, who is signed in or uses an API key;
   * `session`: only a signed-in user, never an API key.
   */
  readonly auth: 'public' | 'any' | 'person' | 'session';
  /** One permission, or several that are all required. */
  readonly permission?: Permission | readonly Permission[];
  readonly mfa?: boolean;
  readonly feature?: Feature;
  readonly limit?: LimitName | 'none';
  readonly idempotency: RoutePolicy['idempotency'];
  readonly audit?: AuditAction;
  readonly tx: RoutePolicy['tx'];
  readonly identity?: true;
  readonly replica?: true;
  readonly body?: RoutePolicy['body'];
  readonly stream?: StreamName;
  readonly cache?: 'revalidate';
  readonly sessionTransport?: true;
  readonly navigation?: true;
  readonly problems?: readonly ProblemCode[];
  readonly deprecated?: Deprecation;
}

/**
 * A policy whose transaction and authentication are visible to the type checker, so that a handler receives exactly
 * what it may use.
 */
type PolicyOf<P extends PolicyInput> = RoutePolicy & {
  readonly tx: P['tx'];
  readonly stream: P['stream'] extends StreamName ? StreamName : null;
  readonly credentials: P['auth'] extends 'public' ? 'public' : readonly CredentialKind[];
};

/** Creates a policy; omitted members default to the strictest or simplest value. */
export function policy<const P extends PolicyInput>(input: P): PolicyOf<P> {
  return {
    credentials: credentialsOf(input.auth) as PolicyOf<P>['credentials'],
    permissions: permissionsOf(input.permission),
    mfa: input.mfa ?? false,
    feature: input.feature ?? null,
    limit: input.limit ?? 'default',
    idempotency: input.idempotency,
    audit: input.audit ?? 'none',
    tx: input.tx,
    identity: input.identity ?? false,
    replica: input.replica ?? false,
    body: input.body ?? 'none',
    stream: (input.stream ?? null) as PolicyOf<P>['stream'],
    cache: input.cache ?? 'none',
    sessionTransport: input.sessionTransport ?? false,
    navigation: input.navigation ?? false,
    problems: input.problems ?? [],
    deprecated: input.deprecated ?? null,
  };
}

function permissionsOf(permission: PolicyInput['permission']): readonly Permission[] {
  if (permission === undefined) return [];
  return typeof permission === 'string' ? [permission] : permission;
}

function credentialsOf(auth: PolicyInput['auth']): RoutePolicy['credentials'] {
  switch (auth) {
    case 'public':
      return 'public';
    case 'any':
      return CREDENTIAL_KINDS;
    case 'person':
      return ['jwt', 'api_key'];
    case 'session':
      return ['jwt'];
  }
}
