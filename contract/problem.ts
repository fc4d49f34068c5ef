import { z } from 'zod';
import { REQUEST_LIMITS } from './body-limits.ts';

export interface ProblemDefinition {
  readonly status: number;
  readonly title: string;
  /** Shown to developers on the problem's page: the cause and the remedy. */
  readonly help: string;
}

/** Every error of this API: code → status, title and help. */
export const PROBLEMS = {
  VALIDATION_FAILED: {
    status: 400,
    title: 'The request is invalid',
    help: 'Member `errors` lists each fault with its path. Correct the request before sending it again.',
  },
  INVALID_TOKEN: {
    status: 400,
    title: 'The link or code is invalid',
    help: 'The link or code is unknown, expired or already used. Request a new one.',
  },
  TENANT_REQUIRED: {
    status: 400,
    title: 'X-Tenant-ID is missing',
    help: 'A master key does not belong to a tenant. Name the tenant of the request in `X-Tenant-ID`.',
  },
  BREAK_GLASS_REASON_REQUIRED: {
    status: 400,
    title: 'X-Break-Glass-Reason is missing',
    help: 'In production a master key requires `X-Break-Glass-Reason`, which is recorded in the audit trail.',
  },
  UNAUTHORIZED: {
    status: 401,
    title: 'No valid credential',
    help: 'Send an access token (`Authorization: Bearer …`) or a per-user API key (`X-API-Key: cspm_…`). If several credentials are sent, only the one with the highest precedence is used, even if it is invalid.',
  },
  INVALID_CREDENTIALS: {
    status: 401,
    title: 'Invalid credentials',
    help: 'The credentials are invalid, or the account cannot sign in. The response is the same for every reason.',
  },
  TOTP_REQUIRED: {
    status: 401,
    title: 'A second factor is required to sign in',
    help: 'The password is correct. Send the request again with `totp` (the code of the authenticator) or `recoveryCode`.',
  },
  INVALID_CODE: {
    status: 401,
    title: 'Invalid second factor',
    help: 'The code is wrong or was already used. Wait for the next one. After five wrong codes every code is refused for 15 minutes.',
  },
  REGISTRATION_CLOSED: {
    status: 403,
    title: 'Registration is closed',
    help: 'The operator of this service allows new accounts by invitation only. Ask an administrator to invite you.',
  },
  SIGN_IN_CANCELLED: {
    status: 403,
    title: 'The sign-in was cancelled',
    help: 'The person did not consent at the identity provider. Start the sign-in again.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'Missing permission',
    help: 'Member `permission` names the permission that the endpoint requires. An administrator of the tenant can assign a role that has it.',
  },
  CREDENTIAL_NOT_ALLOWED: {
    status: 403,
    title: 'This kind of credential is not accepted',
    help: 'Member `accepts` lists the kinds of credential that the endpoint accepts.',
  },
  CROSS_SITE_REQUEST: {
    status: 403,
    title: 'The request comes from another site',
    help: 'A request with `X-Session-Transport: cookie` must come from a page of this service: browsers then send `Sec-Fetch-Site: same-origin` or the `Origin` of the service. Pages of other sites and other clients omit the header and get the refresh token in the body. If the page is one of this service, the operator must set `WEB_URL` to the URL that people use.',
  },
  REAUTH_REQUIRED: {
    status: 403,
    title: 'Reauthentication required',
    help: 'Two-factor settings require your current password (`password`) or a session younger than 5 minutes. Send the password, or sign in again.',
  },
  CONFIRMATION_REQUIRED: {
    status: 403,
    title: 'Sign-in must be confirmed',
    help: 'Your account is an administrator of the tenant, or has more permissions than this identity provider may vouch for. Confirm the provider once: send `confirmation.token` to `POST /auth/confirm` with your password, a code of your authenticator, or the token of the mail that `POST /auth/confirm/mail` sends.',
  },
  MFA_REQUIRED: {
    status: 403,
    title: 'A second factor is required',
    help: 'The endpoint requires a session that has passed a second factor. Enroll an authenticator (`POST /auth/2fa/setup`) if you have none, then call `POST /auth/2fa/verify`. API keys cannot pass one.',
  },
  FEATURE_NOT_LICENSED: {
    status: 403,
    title: 'The feature is not licensed',
    help: 'Member `feature` names the licensed feature that the endpoint requires. Ask the operator to license it.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    help: 'The path does not exist, or your tenant has no resource with this id.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    help: 'Header `Allow` lists the methods that the path supports.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request timeout',
    help: `Header fields must arrive within ${REQUEST_LIMITS.headerSeconds} s and a JSON or form body within ${REQUEST_LIMITS.bodySeconds} s; an upload must deliver ${REQUEST_LIMITS.uploadWindowBytes / 1024} KiB in every ${REQUEST_LIMITS.uploadWindowSeconds} s, and ${REQUEST_LIMITS.slowUploadBytesPerSecond / 1024} KiB/s over ${REQUEST_LIMITS.slowUploadSeconds} s while other tenants need its slot or its process (${REQUEST_LIMITS.slowSecondUploadBytesPerSecond / 1024} KiB/s if another tenant that waits has none, and yours has two or this one has taken more than ${REQUEST_LIMITS.longUploadSeconds / 60} minutes). Send the request again over a faster connection, or compress the upload.`,
  },
  CONFLICT: {
    status: 409,
    title: 'Conflict with the current state',
    help: 'The name is already in use, or the state of the resource does not allow the operation.',
  },
  SCAN_NOT_COMPLETED: {
    status: 409,
    title: 'The scan has not completed',
    help: 'Only scans with the status `completed` or `partial` can be compared or reported. Wait until a running scan has ended; replace a failed or cancelled scan by another one of the same projects.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    title: 'A request with this Idempotency-Key is still running',
    help: 'Wait a moment, then send the same request again to get the stored response.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The request body is too large',
    help: 'Limits: 1 MiB for a JSON body; for an inventory 4 MiB per record, 8 MiB and 1,000 records per asset, 16 MiB for a Terraform document, and in total the size set by the operator.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported content type',
    help: 'Send a content type that the OpenAPI document lists for the endpoint.',
  },
  IDEMPOTENCY_KEY_MISMATCH: {
    status: 422,
    title: 'The Idempotency-Key was used with another payload',
    help: 'Use a new Idempotency-Key for a new request. Repeat a key only with the same payload.',
  },
  PREFLIGHT_BLOCKED: {
    status: 422,
    title: 'The scan cannot start',
    help: 'Member `checks` lists the failed preflight checks, each with its project and remediation.',
  },
  SCANS_NOT_COMPARABLE: {
    status: 422,
    title: 'The scans cannot be compared',
    help: 'A scan is compared with an earlier scan that completed for at least one of the same projects. `detail` says which condition is not met. `GET /scans?project=<name>` lists the scans of a project.',
  },
  DOMAIN_NOT_VERIFIED: {
    status: 422,
    title: 'The domain is not verified',
    help: 'The DNS has no TXT record for the domain with the value given in `record.value` of the domain. Add the record and verify the domain again.',
  },
  SOURCE_REFUSED: {
    status: 422,
    title: 'The inventory source is not accepted',
    help: '`detail` and member `errors` say what is not accepted and what to use instead. A source is a parent in Google Cloud with the key file of a service account, or a service account to impersonate whose name begins with `googlePrincipalPrefix` of `GET /tenant`.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    help: 'Member `limit` names the limit. Wait for the number of seconds in `Retry-After`, then send the request again.',
  },
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    help: 'The request may have been applied in part. Repeat it with the same Idempotency-Key, and quote the correlation id when you report the problem.',
  },
  AUTH_UNAVAILABLE: {
    status: 503,
    title: 'Credentials cannot be verified at the moment',
    help: 'The credential store is unreachable. Keep your credential and try again after the number of seconds in `Retry-After`.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'The service is temporarily unavailable',
    help: 'A dependency of the service is unreachable or overloaded. Try again after the number of seconds in `Retry-After`.',
  },
} as const satisfies Record<string, ProblemDefinition>;

export type ProblemCode = keyof typeof PROBLEMS;

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** The URL path of a problem's page: `/problems/<code in kebab case>`. */
export function problemType(code: ProblemCode): string {
  return `/problems/${problemSlug(code)}`;
}

/** A problem code in kebab case. */
type ProblemSlug = KebabCase<ProblemCode>;

type KebabCase<T extends string> = T extends `${infer Word}_${infer Rest}`
  ? `${Lowercase<Word>}-${KebabCase<Rest>}`
  : Lowercase<T>;

export function problemSlug(code: ProblemCode): ProblemSlug {
  return code.toLowerCase().replaceAll('_', '-') as ProblemSlug;
}

/** One fault of a request. */
const ProblemFault = z.object({ path: z.string(), message: z.string() }).meta({
  id: 'ProblemFault',
  description: 'One fault of a request.',
  example: { path: 'body.projects', message: 'is required: an array' },
});

const ProblemConfirmation = z
  .object({
    token: z.string().describe('Token for `POST /auth/confirm`. It opens no session by itself.'),
    methods: z
      .array(z.enum(['password', 'code', 'mail']))
      .describe('The methods by which the account can confirm.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    id: 'ProblemConfirmation',
    description: 'CONFIRMATION_REQUIRED: the pending sign-in.',
    example: {
      token: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT',
      methods: ['password', 'code', 'mail'],
      expiresAt: '2026-11-20T08:10:00.000Z',
    },
  });

const ProblemCheck = z
  .object({
    project: z.string().nullable(),
    id: z.string(),
    status: z.literal('fail'),
    code: z.string(),
    message: z.string(),
    remediation: z.string(),
  })
  .meta({
    id: 'ProblemCheck',
    description: 'A preflight check that failed.',
    example: {
      project: 'shop-prod',
      id: 'source.attached',
      status: 'fail',
      code: 'INVENTORY_MISSING',
      message: 'The project has no inventory.',
      remediation: 'Upload a Cloud Asset Inventory export with PUT /projects/shop-prod/inventory.',
    },
  });

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
      .describe('Also sent in the header `X-Correlation-ID`. Quote it to support.'),
    errors: z
      .array(ProblemFault)
      .optional()
      .describe('VALIDATION_FAILED and SOURCE_REFUSED: the faults, each with its path.'),
    permission: z.string().optional().describe('FORBIDDEN: the missing permission.'),
    accepts: z
      .array(z.string())
      .optional()
      .describe('CREDENTIAL_NOT_ALLOWED: the accepted kinds of credential.'),
    feature: z.string().optional().describe('FEATURE_NOT_LICENSED: the required feature.'),
    confirmation: ProblemConfirmation.optional(),
    limit: z.string().optional().describe('RATE_LIMITED: the name of the limit.'),
    health: z
      .record(z.string(), z.enum(['ok', 'failing']))
      .optional()
      .describe('SERVICE_UNAVAILABLE of `/health/ready`: the state of each check.'),
    missing: z
      .array(z.string())
      .optional()
      .describe(
        'SERVICE_UNAVAILABLE of `/health/ready`: migrations that this release requires and that are not applied. Migrations of later releases are harmless.',
      ),
    checks: z.array(ProblemCheck).optional().describe('PREFLIGHT_BLOCKED: the failed checks.'),
  })
  .meta({
    id: 'Problem',
    description: 'An error response (RFC 9457).',
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

/** The codes whose problems have each extension member. */
export const PROBLEM_MEMBERS = {
  errors: ['VALIDATION_FAILED', 'SOURCE_REFUSED'],
  permission: ['FORBIDDEN'],
  accepts: ['CREDENTIAL_NOT_ALLOWED'],
  feature: ['FEATURE_NOT_LICENSED'],
  confirmation: ['CONFIRMATION_REQUIRED'],
  limit: ['RATE_LIMITED'],
  health: ['SERVICE_UNAVAILABLE'],
  missing: ['SERVICE_UNAVAILABLE'],
  checks: ['PREFLIGHT_BLOCKED'],
} as const satisfies Partial<Record<keyof Problem, readonly ProblemCode[]>>;
