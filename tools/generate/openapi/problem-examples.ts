import {
  acceptedCredentials,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  problemType,
  REQUEST_LIMITS,
  type Route,
} from '@cspm/contract';
import { validationExample } from './validation-example.ts';

type Words = Pick<Problem, 'detail'> &
  Partial<Omit<Problem, 'type' | 'title' | 'status' | 'code' | 'correlationId'>>;

export interface ProblemExample {
  /** Distinguishes examples of the same code: a permission or a limit; empty: the only example of its code. */
  readonly variant: string;
  readonly value: Problem;
}

/** The problem response of a route with a code: with the route's own permission, limit and input fault. */
export function problemExample(code: ProblemCode, route: Route): ProblemExample {
  const { variant, words } = wordsOf(code, route);
  const { status, title } = PROBLEMS[code];
  return {
    variant,
    value: {
      type: problemType(code),
      title,
      status,
      code,
      correlationId: '0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11',
      ...words,
    },
  };
}

function wordsOf(code: ProblemCode, route: Route): { variant: string; words: Words } {
  const { permissions, feature, credentials, limit, body } = route.metadata;
  switch (code) {
    case 'VALIDATION_FAILED':
      return { variant: `${route.method} ${route.path}`, words: validationExample(route) };
    case 'FORBIDDEN': {
      const [permission] = permissions;
      if (permission === undefined) return { variant: '', words: { detail: DETAILS.FORBIDDEN } };
      return {
        variant: permission,
        words: { detail: `You lack the permission ${permission}.`, permission },
      };
    }
    case 'CREDENTIAL_NOT_ALLOWED': {
      const accepts = credentials === 'public' ? [] : [...credentials];
      return {
        variant: accepts.join(', '),
        words: { detail: acceptedCredentials(accepts), accepts },
      };
    }
    case 'FEATURE_NOT_LICENSED': {
      const licensed = `${feature}`;
      return {
        variant: licensed,
        words: {
          detail: `Your tenant is not licensed for ${licensed}. Ask the operator to license it.`,
          feature: licensed,
        },
      };
    }
    case 'RATE_LIMITED':
      return {
        variant: limit,
        words: { detail: `The limit "${limit}" is exhausted for your IP address.`, limit },
      };
    case 'UNSUPPORTED_MEDIA_TYPE':
      return {
        variant: body,
        words: {
          detail: `The body must have the content type ${MEDIA_TYPES[body]}, not text/plain.`,
        },
      };
    case 'PAYLOAD_TOO_LARGE':
      return { variant: body, words: { detail: SIZES[body] } };
    case 'CONFIRMATION_REQUIRED':
      return { variant: '', words: CONFIRMATION };
    case 'PREFLIGHT_BLOCKED':
      return { variant: '', words: PREFLIGHT };
    default:
      return { variant: '', words: { detail: DETAILS[code] } };
  }
}

type Body = Route['metadata']['body'];

const MEDIA_TYPES: Readonly<Record<Body, string>> = {
  none: '',
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  inventory: 'application/x-ndjson or application/json',
};

const SIZES: Readonly<Record<Body, string>> = {
  none: '',
  json: 'A JSON body is limited to 1 MiB after decompression.',
  form: 'A form body is limited to 256 KiB.',
  inventory:
    'line 17: This line is longer than 4194304 bytes, which is the limit for one record. Is a line feed missing between records?',
};

const CONFIRMATION: Words = {
  detail: 'Confirm that this identity provider may sign in to your account: POST /auth/confirm.',
  confirmation: {
    token: 'q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT',
    methods: ['password', 'code', 'mail'],
    expiresAt: '2026-11-20T08:10:00.000Z',
  },
};

const PREFLIGHT: Words = {
  detail: 'The project has no inventory.',
  checks: [
    {
      project: 'shop-prod',
      id: 'source.attached',
      status: 'fail',
      code: 'INVENTORY_MISSING',
      message: 'The project has no inventory.',
      remediation: 'Upload a Cloud Asset Inventory export with PUT /projects/shop-prod/inventory.',
    },
  ],
};

/** The codes whose examples `wordsOf` builds from the route. */
type OfRoute =
  | 'VALIDATION_FAILED'
  | 'CREDENTIAL_NOT_ALLOWED'
  | 'FEATURE_NOT_LICENSED'
  | 'RATE_LIMITED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PAYLOAD_TOO_LARGE'
  | 'CONFIRMATION_REQUIRED'
  | 'PREFLIGHT_BLOCKED';

/** Texts that do not depend on the route. */
const DETAILS = {
  INVALID_TOKEN: 'The link is unknown, expired or already used.',
  TENANT_REQUIRED: 'Name the tenant in X-Tenant-ID.',
  BREAK_GLASS_REASON_REQUIRED: 'A master key requires X-Break-Glass-Reason.',
  UNAUTHORIZED:
    'No valid credential was sent: it is missing, unknown, expired or revoked. Send an API key in X-API-Key, or an access token in Authorization: Bearer.',
  INVALID_CREDENTIALS: 'Invalid credentials.',
  TOTP_REQUIRED: 'Send the code of your authenticator as well.',
  INVALID_CODE: 'The code is wrong or was already used.',
  SIGN_IN_CANCELLED: 'The sign-in was cancelled at Google.',
  REGISTRATION_CLOSED: 'Registration is by invitation only. Ask an administrator to invite you.',
  CROSS_SITE_REQUEST:
    'X-Session-Transport is only for pages of this service. Leave it out to get the refresh token in the body.',
  FORBIDDEN: 'You are not a member of the tenant in X-Tenant-ID.',
  REAUTH_REQUIRED: 'Session is older than 5 minutes. Send your current password, or sign in again.',
  MFA_REQUIRED:
    'This endpoint requires a session that has passed a second factor. Enroll an authenticator if you have none, then call POST /auth/2fa/verify. API keys cannot pass one.',
  SCAN_NOT_COMPLETED:
    'Scan 0199c2a4-9b60-7d41-a3f2-58c1e7d90b36 is running. Wait until it has completed.',
  SCANS_NOT_COMPARABLE: 'No project completed in both scans. Choose a scan of shop-prod.',
  SOURCE_REFUSED:
    'The file is not a key of a service account: "type" must be "service_account". Create a JSON key of the service account: gcloud iam service-accounts keys create key.json --iam-account <account>.',
  DOMAIN_NOT_VERIFIED:
    'No TXT record of example.com has the value "cspm-domain-verification=q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT". Add the record and try again; DNS changes can take an hour to become visible.',
  NOT_FOUND: 'The path does not exist, or your tenant has no resource with this id.',
  METHOD_NOT_ALLOWED: 'The path does not support this method. Use one of: GET, HEAD, POST.',
  REQUEST_TIMEOUT: `The body did not arrive within ${REQUEST_LIMITS.bodySeconds} s.`,
  CONFLICT: 'A resource with this name already exists.',
  IDEMPOTENCY_KEY_IN_USE: 'A request with this Idempotency-Key is still running.',
  IDEMPOTENCY_KEY_MISMATCH: 'This Idempotency-Key was used with another payload.',
  INTERNAL: 'An unexpected error occurred. The request may have been applied in part.',
  AUTH_UNAVAILABLE: 'Your credential cannot be verified at the moment.',
  SERVICE_UNAVAILABLE: 'The database is unreachable.',
} as const satisfies Readonly<Record<Exclude<ProblemCode, OfRoute>, string>>;
