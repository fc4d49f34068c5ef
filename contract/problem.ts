import { z } from 'zod';

export interface ProblemDefinition {
  readonly status: number;
  readonly title: string;
  /** What a developer reads on the problem's page: what happened, and what to do. */
  readonly help: string;
}

/** Every way in which this API refuses a request: code → status and public words. */
export const PROBLEMS = {
  VALIDATION_FAILED: {
    status: 400,
    title: 'The request does not fit the contract',
    help: 'Member `errors` lists each fault with its path. Correct the request before sending it again.',
  },
  INVALID_TOKEN: {
    status: 400,
    title: 'The link or code is not good',
    help: 'It is unknown, expired or spent. Ask for a new one.',
  },
  TENANT_REQUIRED: {
    status: 400,
    title: 'The tenant is missing',
    help: 'A master key belongs to no tenant. Name the one that the request is for in `X-Tenant-ID`.',
  },
  BREAK_GLASS_REASON_REQUIRED: {
    status: 400,
    title: 'The reason is missing',
    help: 'In production a master key is taken only with `X-Break-Glass-Reason`, which goes into the audit trail.',
  },
  UNAUTHORIZED: {
    status: 401,
    title: 'No valid credential',
    help: 'Send an access token (`Authorization: Bearer …`) or a per-user API key (`X-API-Key: cspm_…`). The first credential presented decides; an invalid one is never passed over.',
  },
  INVALID_CREDENTIALS: {
    status: 401,
    title: 'Sign-in refused',
    help: 'The e-mail address and password do not open a session. The answer is the same for every reason.',
  },
  TOTP_REQUIRED: {
    status: 401,
    title: 'A second factor is required to sign in',
    help: 'The password is right. Send the request again with `totp`, the code of the authenticator, or with `recoveryCode`.',
  },
  INVALID_CODE: {
    status: 401,
    title: 'Second factor refused',
    help: 'The code is wrong or was used before. Wait for the next one; after five wrong ones every code is refused for a quarter of an hour.',
  },
  REGISTRATION_CLOSED: {
    status: 403,
    title: 'Registration is closed',
    help: 'The operator of this service admits new people by invitation only.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'Permission missing',
    help: 'Member `permission` names the permission that the endpoint wants. An administrator of the tenant can grant a role that holds it.',
  },
  CREDENTIAL_NOT_ALLOWED: {
    status: 403,
    title: 'This kind of credential is not taken here',
    help: 'Member `accepts` lists the kinds of credential that the endpoint takes.',
  },
  REAUTH_REQUIRED: {
    status: 403,
    title: 'Confirm that it is you',
    help: 'Send your current password as `password`, or sign in again: the settings of the second factor want that, or a session younger than 5 minutes.',
  },
  MFA_REQUIRED: {
    status: 403,
    title: 'A second factor is required',
    help: 'The endpoint wants a session that has passed a second factor.',
  },
  FEATURE_NOT_LICENSED: {
    status: 403,
    title: 'The tenant is not licensed for this',
    help: 'Member `feature` names the licensed feature that the endpoint belongs to.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    help: 'There is nothing of that path or id in your tenant.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The path does not take this method',
    help: 'Header `Allow` lists the methods that it takes.',
  },
  CONFLICT: {
    status: 409,
    title: 'In conflict with what exists',
    help: 'The name is taken, or the resource is not in a state that allows this.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    title: 'The first request with this key is still running',
    help: 'Wait a moment and send the same request again: it will be answered with the stored response.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The body is too large',
    help: 'A JSON body may hold 1 MiB; an inventory 4 MiB a record and as much in all as the operator allows.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The content type is not taken here',
    help: 'Send the content type that the OpenAPI document names for the endpoint.',
  },
  IDEMPOTENCY_KEY_MISMATCH: {
    status: 422,
    title: 'The key was used for another payload',
    help: 'Use a new Idempotency-Key for a new request; repeat one only with the same payload.',
  },
  PREFLIGHT_BLOCKED: {
    status: 422,
    title: 'The scan cannot start',
    help: 'Member `checks` lists the preflight checks that failed, each with its project and what mends it.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    help: 'Member `limit` names the limit. Wait as long as `Retry-After` says, then send the request again.',
  },
  INTERNAL: {
    status: 500,
    title: 'Something went wrong on our side',
    help: 'Nothing was changed. Quote the correlation id when you report it.',
  },
  AUTH_UNAVAILABLE: {
    status: 503,
    title: 'Credentials cannot be verified at the moment',
    help: 'The credential store is out of reach. Keep your credential and try again after `Retry-After`.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'The service is not available at the moment',
    help: 'Something that the service depends on is out of reach. Try again after `Retry-After`.',
  },
} as const satisfies Record<string, ProblemDefinition>;

export type ProblemCode = keyof typeof PROBLEMS;

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** The address of a problem's page: `/problems/<code in kebab case>`. */
export function problemType(code: ProblemCode): string {
  return `/problems/${problemSlug(code)}`;
}

/** A code in kebab case. */
type ProblemSlug = KebabCase<ProblemCode>;

type KebabCase<T extends string> = T extends `${infer Word}_${infer Rest}`
  ? `${Lowercase<Word>}-${KebabCase<Rest>}`
  : Lowercase<T>;

export function problemSlug(code: ProblemCode): ProblemSlug {
  return code.toLowerCase().replaceAll('_', '-') as ProblemSlug;
}

/** The body of every error: RFC 9457 §3, with the extension members of this API. */
export const Problem = z
  .object({
    type: z.string().meta({ example: '/problems/validation-failed' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(PROBLEM_CODES),
    correlationId: z
      .string()
      .describe('Also in the header `X-Correlation-ID`; quote it to support.'),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('VALIDATION_FAILED: every fault with its place.'),
    permission: z.string().optional().describe('FORBIDDEN: the permission that is missing.'),
    accepts: z
      .array(z.string())
      .optional()
      .describe('CREDENTIAL_NOT_ALLOWED: the kinds taken here.'),
    feature: z.string().optional().describe('FEATURE_NOT_LICENSED: the feature.'),
    limit: z.string().optional().describe('RATE_LIMITED: the name of the limit.'),
    checks: z
      .array(
        z.object({
          project: z.string().nullable(),
          id: z.string(),
          code: z.string(),
          message: z.string(),
          remediation: z.string(),
        }),
      )
      .optional()
      .describe('PREFLIGHT_BLOCKED: the checks that failed.'),
  })
  .meta({
    id: 'Problem',
    description: 'What went wrong (RFC 9457).',
    example: {
      type: '/problems/forbidden',
      title: PROBLEMS.FORBIDDEN.title,
      status: 403,
      detail: 'You lack the permission scans.launch.',
      code: 'FORBIDDEN',
      correlationId: '0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11',
      permission: 'scans.launch',
    },
  });

export type Problem = z.infer<typeof Problem>;
