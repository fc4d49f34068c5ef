import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { Origin } from '../platform/audit-writer.ts';
import type { Clock } from '../platform/clock.ts';
import type { TenantReads } from '../platform/database/replica-reads.ts';
import type { TenantDatabase } from '../platform/database/tenant-database.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Principal } from '../platform/principal.ts';
import type { WebAddress } from '../platform/web-address.ts';
import type { IdempotencyRecords } from './idempotency.ts';
import type { OpenStreams } from './open-streams.ts';
import type { UnreadAnswers } from './unread-answers.ts';

/** Verifies credentials and resolves the tenant of a request. */
export interface Credentials {
  /**
   * @param begun when the request began, if earlier: an access token must have been valid then, everything else now.
   * @throws {ProblemError} UNAUTHORIZED, AUTH_UNAVAILABLE
   */
  authenticate(headers: IncomingHttpHeaders, begun?: Date): Promise<Principal>;
  /**
   * Switches the principal to the tenant that the `X-Tenant-ID` header names.
   * @throws {ProblemError} FORBIDDEN, NOT_FOUND
   */
  resolveTenant(principal: Principal, header: string | string[] | undefined): Promise<Principal>;
  /** Audits the use of a credential that belongs to no user. */
  noteUse(principal: Principal, use: CredentialUse): Promise<void>;
}

interface CredentialUse {
  /** `users.update` */
  readonly operation: string;
  readonly origin: Origin;
}

/** What the stages of a request need, provided by the composition root. */
export interface HttpServices {
  readonly clock: Clock;
  readonly log: Logger;
  readonly tenants: TenantDatabase;
  /** Reads that a replica may serve; the same as `tenants` without replicas. */
  readonly reads: TenantReads;
  /** Where operations on identities run. The same as `tenants` unless tenants are on several databases. */
  readonly identityTenants: TenantDatabase;
  readonly credentials: Credentials;
  readonly idempotency: IdempotencyRecords;
  readonly openStreams: OpenStreams;
  readonly unreadAnswers: UnreadAnswers;
  readonly metrics: Metrics;
  /** Where people reach the service. */
  readonly web: WebAddress;
}
