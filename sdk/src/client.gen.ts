// Generated from the contract by `npm run generate`. Do not edit.
import type { Call } from './call.ts';
import type { InventorySource } from './inventory.ts';
import type { CallOptions, KeyedCallOptions, NoInput, OneOrMany } from './options.ts';
import type { ListCall } from './page.ts';
import type { WaitForScan } from './wait.ts';

/**
 * A client of the service: one method for each operation.
 *
 * A method takes one flat input, in which path, query and body are merged, and then options. Besides the
 * errors that it lists, any method may end with a `ConnectionError`, a `TimeoutError` or, once its signal is
 * aborted, an `AbortError`.
 */
export interface Cspm {
  readonly auth: {
    /**
     * Sign in with e-mail and password.
     *
     * Opens a session. Every refusal has the same answer and takes the same time, whatever its reason.
     *
     * `POST /auth/login`: needs no credential; rate limit `login` of 5 in 60 s besides the general one. Never
     * repeated once the server may have seen it, except after a 429.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `INVALID_CREDENTIALS`
     * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
     */
    login(input: AuthLoginInput, options?: CallOptions): Call<Tokens>;

    /**
     * Renew a session.
     *
     * Spends the refresh token and answers with a new pair. A token that is used again after it was spent
     * ends the whole session, unless it is the one before and the repetition comes within 10 seconds.
     *
     * `POST /auth/refresh`: needs no credential; rate limit `refresh` of 10 in 60 s besides the general one.
     * Never repeated once the server may have seen it, except after a 429.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
     */
    refresh(input: AuthRefreshInput, options?: CallOptions): Call<Tokens>;

    /**
     * End a session.
     *
     * Ends the session that the refresh token belongs to; its access tokens are refused from then on. An
     * unknown token is answered alike.
     *
     * `POST /auth/logout`: needs no credential; general rate limit. Repeating it has the effect of one, so it
     * is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
     */
    logout(input: AuthLogoutInput, options?: CallOptions): Call<void>;

    /**
     * Who am I?
     *
     * The identity, the tenant and the permissions that the credential carries right now.
     *
     * `GET /auth/me`: needs a session or an API key; general rate limit. Changes nothing, so it is repeated
     * after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    me(input?: NoInput, options?: CallOptions): Call<Identity>;
  };

  readonly apiKeys: {
    /**
     * List API keys.
     *
     * Your own keys; with `admin.users` those of any user of the tenant.
     *
     * `GET /api-keys`: needs a session or an API key; permission `keys.own`; general rate limit. Changes
     * nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    list(input?: ApiKeysListInput, options?: CallOptions): ListCall<ApiKey>;

    /**
     * Make an API key.
     *
     * Wants a session, so that a stolen key cannot breed. The key is shown this once.
     *
     * `POST /api-keys`: needs a session; permission `keys.own`; general rate limit. Sent with an
     * Idempotency-Key, so it is repeated after any failure that may pass and takes effect once.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
     * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    create(input: ApiKeysCreateInput, options?: KeyedCallOptions): Call<NewApiKey>;

    /**
     * Revoke an API key.
     *
     * The key is refused from the next request on. With `admin.users` also the key of another user of the
     * tenant.
     *
     * `DELETE /api-keys/:id`: needs a session or an API key; permission `keys.own`; general rate limit.
     * Repeating it has the effect of one, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {NotFoundError} `NOT_FOUND`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    revoke(input: ApiKeysRevokeInput, options?: CallOptions): Call<void>;
  };

  readonly projects: {
    /**
     * List projects.
     *
     * Newest first, each with the inventory that the next scan would look at.
     *
     * `GET /projects`: needs a session or an API key; permission `projects.read`; general rate limit. Changes
     * nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    list(input?: ProjectsListInput, options?: CallOptions): ListCall<Project>;

    /**
     * Create a project.
     *
     * The name is its address: unique in the tenant, and never changed.
     *
     * `POST /projects`: needs a session or an API key; permission `projects.write`; general rate limit. Sent
     * with an Idempotency-Key, so it is repeated after any failure that may pass and takes effect once.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {ConflictError} `CONFLICT`
     * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
     * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    create(input: ProjectsCreateInput, options?: KeyedCallOptions): Call<Project>;

    /**
     * Get a project.
     *
     * With the inventory that the next scan would look at.
     *
     * `GET /projects/:name`: needs a session or an API key; permission `projects.read`; general rate limit.
     * Changes nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {NotFoundError} `NOT_FOUND`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    get(input: ProjectsGetInput, options?: CallOptions): Call<Project>;

    /**
     * Delete a project.
     *
     * Ends its scans and removes its inventories and findings. A new project of the same name starts afresh.
     *
     * `DELETE /projects/:name`: needs a session or an API key; permission `projects.write`; general rate
     * limit. Repeating it has the effect of one, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {NotFoundError} `NOT_FOUND`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    delete(input: ProjectsDeleteInput, options?: CallOptions): Call<void>;

    /**
     * Upload an inventory.
     *
     * A Cloud Asset Inventory export: NDJSON (`application/x-ndjson`), or a JSON array (`application/json`),
     * optionally with `Content-Encoding: gzip`, streamed. Blank lines and lines that begin with `#` are
     * skipped. RESOURCE, IAM_POLICY and ORG_POLICY records of one asset are merged. On a malformed record
     * nothing changes: the inventory before it stays in force.
     *
     * `PUT /projects/:name/inventory`: needs a session or an API key; permission `projects.write`; general
     * rate limit. Repeating it has the effect of one, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {NotFoundError} `NOT_FOUND`
     * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    uploadInventory(input: ProjectsUploadInventoryInput, options?: CallOptions): Call<Inventory>;
  };

  readonly preflight: {
    /**
     * Check whether a scan can start.
     *
     * Changes nothing. `POST /scans` makes the same checks and refuses what they block.
     *
     * `POST /preflight`: needs a session or an API key; permission `preflight.run`; rate limit `preflight` of
     * 10 in 60 s besides the general one. Changes nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    run(input: PreflightRunInput, options?: CallOptions): Call<Preflight>;
  };

  readonly scans: {
    /**
     * List scans.
     *
     * Newest first. Ask for a batch by `ids` instead of polling scans one by one.
     *
     * `GET /scans`: needs a session or an API key; permission `scans.read`; general rate limit. Changes
     * nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    list(input?: ScansListInput, options?: CallOptions): ListCall<Scan>;

    /**
     * Launch a scan.
     *
     * Queues one evaluation for each project and answers at once. With an Idempotency-Key a repetition never
     * launches a second scan.
     *
     * `POST /scans`: needs a session or an API key; permission `scans.launch`; rate limit `scans` of 10 in 60
     * s besides the general one. Sent with an Idempotency-Key, so it is repeated after any failure that may
     * pass and takes effect once.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
     * @throws {ApiError} `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `PREFLIGHT_BLOCKED`, `INTERNAL`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    launch(input: ScansLaunchInput, options?: KeyedCallOptions): Call<Scan>;

    /**
     * Get a scan.
     *
     * How far it is, and what it has found so far. A final `status` never changes again.
     *
     * `GET /scans/:id`: needs a session or an API key; permission `scans.read`; general rate limit. Changes
     * nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {NotFoundError} `NOT_FOUND`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    get(input: ScansGetInput, options?: CallOptions): Call<Scan>;

    /**
     * Verdicts of a scan by rule.
     *
     * Whole in one answer: a row for every rule of the profile.
     *
     * `GET /scans/:id/rules`: needs a session or an API key; permission `scans.read`; general rate limit.
     * Changes nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {NotFoundError} `NOT_FOUND`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    rules(input: ScansRulesInput, options?: CallOptions): ListCall<RuleCount>;

    /**
     * Waits until a scan is finished and resolves with it, whatever its status.
     *
     * All waits of a client share one poll, which leaves room within the general rate limit. A service that
     * is away for less than a minute does not end the wait.
     *
     * @throws {NotFoundError} `NOT_FOUND`
     * @throws {TimeoutError} when `timeoutMs` is over
     * @throws {AbortError} when the signal is aborted
     */
    wait: WaitForScan;
  };

  readonly findings: {
    /**
     * List findings.
     *
     * Newest first. Without `scan`: as things stand now, over all scans.
     *
     * `GET /findings`: needs a session or an API key; permission `findings.read`; general rate limit. Changes
     * nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    list(input?: FindingsListInput, options?: CallOptions): ListCall<Finding>;

    /**
     * Get a finding.
     *
     * With the values that decided, and what mends it.
     *
     * `GET /findings/:id`: needs a session or an API key; permission `findings.read`; general rate limit.
     * Changes nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {NotFoundError} `NOT_FOUND`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    get(input: FindingsGetInput, options?: CallOptions): Call<Finding>;
  };

  readonly rules: {
    /**
     * List rules.
     *
     * In the order of their ids.
     *
     * `GET /rules`: needs a session or an API key; permission `rules.read`; general rate limit. Changes
     * nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    list(input?: RulesListInput, options?: CallOptions): ListCall<Rule>;

    /**
     * Get a rule.
     *
     * What it checks, why, what mends a violation, and which requirements it stands for.
     *
     * `GET /rules/:id`: needs a session or an API key; permission `rules.read`; general rate limit. Changes
     * nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {NotFoundError} `NOT_FOUND`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    get(input: RulesGetInput, options?: CallOptions): Call<Rule>;
  };

  readonly profiles: {
    /**
     * List profiles.
     *
     * Whole in one answer.
     *
     * `GET /profiles`: needs a session or an API key; permission `rules.read`; general rate limit. Changes
     * nothing, so it is repeated after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {UnauthorizedError} `UNAUTHORIZED`
     * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
     */
    list(input?: NoInput, options?: CallOptions): ListCall<Profile>;
  };

  readonly meta: {
    /**
     * Is the process alive?
     *
     * For the liveness probe of an orchestrator: looks at nothing but the process itself.
     *
     * `GET /health/live`: needs no credential; outside all rate limits. Changes nothing, so it is repeated
     * after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {ApiError} `INTERNAL`
     */
    live(input?: NoInput, options?: CallOptions): Call<Health>;

    /**
     * Can the process serve?
     *
     * Unavailable while the database is out of reach, behind in migrations, or the process is draining.
     *
     * `GET /health/ready`: needs no credential; outside all rate limits. Changes nothing, so it is repeated
     * after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {ApiError} `INTERNAL`
     * @throws {UnavailableError} `HTTP_503`
     */
    ready(input?: NoInput, options?: CallOptions): Call<Health>;

    /**
     * This document.
     *
     * The OpenAPI 3.1 document of the service as it runs.
     *
     * `GET /openapi.json`: needs no credential; general rate limit. Changes nothing, so it is repeated after
     * any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     */
    openapi(input?: NoInput, options?: CallOptions): Call<Record<string, JsonValue>>;

    /**
     * What a problem means.
     *
     * The page that `type` of every error points to.
     *
     * `GET /problems/:code`: needs no credential; general rate limit. Changes nothing, so it is repeated
     * after any failure that may pass.
     *
     * @throws {ValidationError} `VALIDATION_FAILED`
     * @throws {NotFoundError} `NOT_FOUND`
     * @throws {RateLimitError} `RATE_LIMITED`
     * @throws {ApiError} `INTERNAL`
     */
    problem(input: MetaProblemInput, options?: CallOptions): Call<ProblemPage>;
  };
}

/** What `auth.login` takes. */
export interface AuthLoginInput {
  /** Such as `ada@example.com`. */
  readonly email: string;
  readonly password: string;
  /** The tenant to enter; left out: the one used last, else the oldest membership. */
  readonly tenantId?: string | undefined;
}

/** What `auth.refresh` takes. */
export interface AuthRefreshInput {
  readonly refreshToken: string;
}

/** What `auth.logout` takes. */
export interface AuthLogoutInput {
  readonly refreshToken: string;
}

/** What `apiKeys.list` takes. */
export interface ApiKeysListInput {
  /** How many items to return. Left out: 25. From 1 to 100. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before. Opaque. */
  readonly cursor?: string | undefined;
  /** Whose keys; needs `admin.users` unless it is yourself. */
  readonly userId?: string | undefined;
}

/** What `apiKeys.create` takes. */
export interface ApiKeysCreateInput {
  readonly name: string;
  /** In the future; left out: the key does not expire. RFC 3339, in UTC. */
  readonly expiresAt?: string | undefined;
}

/** What `apiKeys.revoke` takes. */
export interface ApiKeysRevokeInput {
  /** The key, by its id. */
  readonly id: string;
}

/** What `projects.list` takes. */
export interface ProjectsListInput {
  /** How many items to return. Left out: 25. From 1 to 100. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before. Opaque. */
  readonly cursor?: string | undefined;
}

/** What `projects.create` takes. */
export interface ProjectsCreateInput {
  /** Such as `shop-prod`. */
  readonly name: string;
  readonly description?: string | undefined;
}

/** What `projects.get` takes. */
export interface ProjectsGetInput {
  /** The project. Such as `shop-prod`. */
  readonly name: string;
}

/** What `projects.delete` takes. */
export interface ProjectsDeleteInput {
  /** The project. Such as `shop-prod`. */
  readonly name: string;
}

/** What `projects.uploadInventory` takes. */
export interface ProjectsUploadInventoryInput {
  /** The project. Such as `shop-prod`. */
  readonly name: string;
  readonly inventory: InventorySource;
}

/** What `preflight.run` takes. */
export interface PreflightRunInput {
  /** Names of projects; repeats count once. Such as `["shop-prod"]`. */
  readonly projects: readonly string[];
  /** Which rules to evaluate: a name from `GET /profiles`. Such as `full`. */
  readonly profile: string;
}

/** What `scans.list` takes. */
export interface ScansListInput {
  /** How many items to return. Left out: 25. From 1 to 100. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before. Opaque. */
  readonly cursor?: string | undefined;
  /** Left out: all. */
  readonly status?: OneOrMany<'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled'> | undefined;
  /** Scans of any of these projects. */
  readonly project?: OneOrMany<string> | undefined;
  /** A batch of scans: one call instead of many. */
  readonly ids?: OneOrMany<string> | undefined;
}

/** What `scans.launch` takes. */
export interface ScansLaunchInput {
  /** Names of projects; repeats count once. Such as `["shop-prod"]`. */
  readonly projects: readonly string[];
  /** Which rules to evaluate: a name from `GET /profiles`. Such as `full`. */
  readonly profile: string;
}

/** What `scans.get` takes. */
export interface ScansGetInput {
  /** The scan. */
  readonly id: string;
}

/** What `scans.rules` takes. */
export interface ScansRulesInput {
  /** The scan. */
  readonly id: string;
}

/** What `findings.list` takes. */
export interface FindingsListInput {
  /** How many items to return. Left out: 25. From 1 to 100. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before. Opaque. */
  readonly cursor?: string | undefined;
  /** In any of these projects. */
  readonly project?: OneOrMany<string> | undefined;
  /** Left out: all. */
  readonly severity?: OneOrMany<Severity> | undefined;
  /** Left out: all. */
  readonly status?: OneOrMany<'open' | 'resolved'> | undefined;
  /** Of any of these rules, by id. */
  readonly rule?: OneOrMany<string> | undefined;
  /** What that scan saw or resolved, with its `delta`. */
  readonly scan?: string | undefined;
}

/** What `findings.get` takes. */
export interface FindingsGetInput {
  /** The finding. */
  readonly id: string;
}

/** What `rules.list` takes. */
export interface RulesListInput {
  /** How many items to return. Left out: 25. From 1 to 100. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before. Opaque. */
  readonly cursor?: string | undefined;
  /** Left out: all. */
  readonly severity?: OneOrMany<Severity> | undefined;
  /** In any of these categories. */
  readonly category?: OneOrMany<string> | undefined;
}

/** What `rules.get` takes. */
export interface RulesGetInput {
  /** The rule. Such as `bucket-public`. */
  readonly id: string;
}

/** What `meta.problem` takes. */
export interface MetaProblemInput {
  /** The code in kebab case. */
  readonly code:
    | 'validation-failed'
    | 'unauthorized'
    | 'invalid-credentials'
    | 'forbidden'
    | 'credential-not-allowed'
    | 'mfa-required'
    | 'feature-not-licensed'
    | 'not-found'
    | 'method-not-allowed'
    | 'conflict'
    | 'idempotency-key-in-use'
    | 'payload-too-large'
    | 'unsupported-media-type'
    | 'idempotency-key-mismatch'
    | 'preflight-blocked'
    | 'rate-limited'
    | 'internal'
    | 'auth-unavailable'
    | 'service-unavailable';
}

/** What went wrong (RFC 9457). */
export interface Problem {
  /** Such as `/problems/validation-failed`. */
  type: string;
  title: string;
  status: number;
  detail: string;
  code:
    | 'VALIDATION_FAILED'
    | 'UNAUTHORIZED'
    | 'INVALID_CREDENTIALS'
    | 'FORBIDDEN'
    | 'CREDENTIAL_NOT_ALLOWED'
    | 'MFA_REQUIRED'
    | 'FEATURE_NOT_LICENSED'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'CONFLICT'
    | 'IDEMPOTENCY_KEY_IN_USE'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'IDEMPOTENCY_KEY_MISMATCH'
    | 'PREFLIGHT_BLOCKED'
    | 'RATE_LIMITED'
    | 'INTERNAL'
    | 'AUTH_UNAVAILABLE'
    | 'SERVICE_UNAVAILABLE';
  /** Also in the header `X-Correlation-ID`; quote it to support. */
  correlationId: string;
  /** VALIDATION_FAILED: every fault with its place. */
  errors?: {
    path: string;
    message: string;
  }[];
  /** FORBIDDEN: the permission that is missing. */
  permission?: string;
  /** CREDENTIAL_NOT_ALLOWED: the kinds taken here. */
  accepts?: string[];
  /** FEATURE_NOT_LICENSED: the feature. */
  feature?: string;
  /** RATE_LIMITED: the name of the limit. */
  limit?: string;
  /** PREFLIGHT_BLOCKED: the checks that failed. */
  checks?: {
    project: string | null;
    id: string;
    code: string;
    message: string;
    remediation: string;
  }[];
}

/** A session: a short-lived access token and what renews it. */
export interface Tokens {
  /** Send it as `Authorization: Bearer …`. */
  accessToken: string;
  /** Good for one use at `POST /auth/refresh`. */
  refreshToken: string;
  tokenType: 'Bearer';
  /** Life of the access token in seconds. Such as `900`. */
  expiresIn: number;
}

/** Who the credential stands for, where, and what it may do. */
export interface Identity {
  user: {
    id: string;
    /** Such as `ada@example.com`. */
    email: string;
    name: string | null;
    emailVerified: boolean;
    twoFactorEnabled: boolean;
  } | null;
  tenant: {
    id: string;
    name: string;
    features: ('sso' | 'custom_rules' | 'audit_export')[];
  };
  /** Such as `admin`. */
  role: string;
  permissions: (
    | 'scans.read'
    | 'scans.launch'
    | 'scans.cancel'
    | 'preflight.run'
    | 'projects.read'
    | 'projects.write'
    | 'findings.read'
    | 'findings.mute'
    | 'rules.read'
    | 'rules.write'
    | 'keys.own'
    | 'admin.users'
    | 'admin.settings'
    | 'admin.audit'
  )[];
  credential: {
    kind: 'jwt' | 'api_key';
    /** Whether the session has passed a second factor. */
    mfa: boolean;
    /** RFC 3339, in UTC. */
    expiresAt: string | null;
  };
  memberships: {
    tenantId: string;
    tenantName: string;
    role: string;
  }[];
}

/** A key for automation. It carries the current permissions of its owner. */
export interface ApiKey {
  id: string;
  /** Such as `nightly pipeline`. */
  name: string;
  /** The beginning of the key, enough to recognise it. Such as `cspm_8Fq2LmZx71Ba`. */
  prefix: string;
  userId: string;
  /** RFC 3339, in UTC. */
  createdAt: string;
  /** RFC 3339, in UTC. */
  expiresAt: string | null;
  /** Kept to the minute. RFC 3339, in UTC. */
  lastUsedAt: string | null;
}

/** A key just made, with its secret. */
export interface NewApiKey {
  id: string;
  /** Such as `nightly pipeline`. */
  name: string;
  /** The beginning of the key, enough to recognise it. Such as `cspm_8Fq2LmZx71Ba`. */
  prefix: string;
  /** RFC 3339, in UTC. */
  createdAt: string;
  /** RFC 3339, in UTC. */
  expiresAt: string | null;
  /** The key itself. Shown this once; only its hash is kept. */
  key: string;
}

/** What is scanned as one: a cloud project and its inventory. */
export interface Project {
  id: string;
  /** Such as `shop-prod`. */
  name: string;
  description: string | null;
  /** The inventory in force: what the next scan looks at. Null: none was uploaded yet. */
  inventory: {
    id: string;
    assets: number;
    /** RFC 3339, in UTC. */
    createdAt: string;
  } | null;
  /** RFC 3339, in UTC. */
  createdAt: string;
}

/** A snapshot of the resources of a project. */
export interface Inventory {
  id: string;
  /** Assets after records of the same asset were merged. */
  assets: number;
  assetTypes: {
    /** Such as `storage.googleapis.com/Bucket`. */
    type: string;
    count: number;
  }[];
  /** Size of the upload, inflated. */
  bytes: number;
  /** What was set right on the way in; at most the first 100. */
  warnings: {
    line: number;
    message: string;
  }[];
  /** RFC 3339, in UTC. */
  createdAt: string;
}

/** Whether a scan would start, and what stands in its way. */
export interface Preflight {
  decision: 'ready' | 'ready_with_warnings' | 'blocked';
  profile: {
    name: string;
    /** SHA-256 over the rules, versions and parameters; null: unknown profile. */
    digest: string | null;
    ruleCount: number;
  };
  projects: {
    name: string;
    checks: PreflightCheck[];
  }[];
  estimate: {
    assets: number;
    /** At most; a rule is evaluated on the assets of its types alone. */
    evaluations: number;
    /** A rough guess at the time on one worker. */
    seconds: number;
  };
  limits: {
    projectsPerScan: number;
    launchesPerMinute: number;
  };
  /** How long the answer is worth relying on. RFC 3339, in UTC. */
  expiresAt: string;
}

/** One check of a preflight. */
export interface PreflightCheck {
  id:
    | 'profile.known'
    | 'project.known'
    | 'project.duplicate'
    | 'source.attached'
    | 'source.freshness'
    | 'coverage.types'
    | 'coverage.iam'
    | 'estimate'
    | 'conflict.active';
  status: 'pass' | 'warn' | 'fail' | 'skip';
  /** A stable word for the outcome. Such as `INVENTORY_MISSING`. */
  code: string;
  message: string;
  /** What mends it; empty when there is nothing to mend. */
  remediation: string;
}

/** An evaluation of posture rules on the inventories of projects. */
export interface Scan {
  id: string;
  /** `partial`: some project failed, some completed. */
  status: 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';
  /** Such as `full`. */
  profile: string;
  /** SHA-256 over the rules, versions and parameters evaluated. */
  profileDigest: string;
  projects: {
    /** Such as `shop-prod`. */
    name: string;
    status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
    assets: number;
    evaluations: number;
    findings: number;
    error: string | null;
  }[];
  totals: {
    assets: number;
    evaluations: number;
    pass: number;
    fail: number;
    unknown: number;
    /** Findings seen by this scan. */
    bySeverity: {
      critical: number;
      high: number;
      medium: number;
      low: number;
      info: number;
    };
  };
  /** Against what earlier scans of the same projects had found. */
  delta: {
    new: number;
    resolved: number;
    reopened: number;
    unchanged: number;
  };
  createdBy: {
    /** Such as `api_key`. */
    kind: string;
    id: string;
    /** Such as `ada@example.com`. */
    label: string;
  };
  /** RFC 3339, in UTC. */
  createdAt: string;
  /** RFC 3339, in UTC. */
  startedAt: string | null;
  /** RFC 3339, in UTC. */
  finishedAt: string | null;
}

/** Verdicts of one rule in a scan, over the assets of its types. */
export interface RuleCount {
  /** Such as `bucket-public`. */
  ruleId: string;
  pass: number;
  fail: number;
  na: number;
  unknown: number;
}

/** How bad it is, worst first. */
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

/** A fault of an asset that somebody should act on. */
export interface Finding {
  id: string;
  /** The same for the same fault of the same asset, from scan to scan. */
  fingerprint: string;
  /** Such as `bucket-public`. */
  ruleId: string;
  title: string;
  severity: Severity;
  status: 'open' | 'resolved';
  /** Against the scan before; with filter `scan`, as that scan saw it. */
  delta: 'new' | 'unchanged' | 'reopened' | 'resolved';
  /** Such as `shop-prod`. */
  project: string;
  asset: {
    /** Such as `//storage.googleapis.com/shop-uploads`. */
    name: string;
    /** Such as `storage.googleapis.com/Bucket`. */
    type: string;
  };
  /** What of the asset is meant: a binding, a port; empty: the asset as a whole. */
  subject: string;
  message: string;
  /** The values that decided, each with its path in the asset; secrets redacted. */
  evidence: {
    path: string;
    value: JsonValue;
  }[];
  remediation: string;
  compliance: Compliance[];
  /** RFC 3339, in UTC. */
  firstSeenAt: string;
  /** RFC 3339, in UTC. */
  lastSeenAt: string;
  /** RFC 3339, in UTC. */
  resolvedAt: string | null;
  resolvedReason: 'fixed' | 'asset_gone' | 'rule_retired' | null;
  muted: {
    reason: string;
    /** RFC 3339, in UTC. */
    expiresAt: string;
  } | null;
}

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** A requirement of a framework, by its number. */
export interface Compliance {
  /** Such as `cis-gcp-4.0`. */
  framework: string;
  /** Such as `5.1`. */
  id: string;
}

/** A condition that assets should meet. */
export interface Rule {
  /** Such as `bucket-public`. */
  id: string;
  version: number;
  title: string;
  severity: Severity;
  /** Such as `storage`. */
  category: string;
  assetTypes: string[];
  /** The content of an export without which the verdict is UNKNOWN. */
  needs: string[];
  description: string;
  remediation: string;
  compliance: Compliance[];
}

/** A named set of rules. */
export interface Profile {
  /** Such as `full`. */
  name: string;
  title: string;
  description: string;
  /** SHA-256 over the rules, versions and parameters. */
  digest: string;
  ruleCount: number;
  rules: string[];
}

/** The state of one server process. */
export interface Health {
  status: 'ok' | 'unavailable';
  checks: Record<string, 'ok' | 'failing'>;
}

/** What a problem code means and what to do about it. */
export interface ProblemPage {
  code:
    | 'VALIDATION_FAILED'
    | 'UNAUTHORIZED'
    | 'INVALID_CREDENTIALS'
    | 'FORBIDDEN'
    | 'CREDENTIAL_NOT_ALLOWED'
    | 'MFA_REQUIRED'
    | 'FEATURE_NOT_LICENSED'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'CONFLICT'
    | 'IDEMPOTENCY_KEY_IN_USE'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'IDEMPOTENCY_KEY_MISMATCH'
    | 'PREFLIGHT_BLOCKED'
    | 'RATE_LIMITED'
    | 'INTERNAL'
    | 'AUTH_UNAVAILABLE'
    | 'SERVICE_UNAVAILABLE';
  type: string;
  status: number;
  title: string;
  help: string;
}
