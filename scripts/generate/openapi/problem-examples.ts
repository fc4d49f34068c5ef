import { PROBLEMS, type Problem, type ProblemCode, problemType, type Route } from '@cspm/contract';
import { validationExample } from './validation-example.ts';

type Words = Pick<Problem, 'detail'> &
  Partial<Omit<Problem, 'type' | 'title' | 'status' | 'code' | 'correlationId'>>;

export interface ProblemExample {
  /** What tells it from other examples of its code: a permission, a limit; empty: there is one of the code alone. */
  readonly variant: string;
  readonly value: Problem;
}

/** What a route answers with a code, as it is on the wire: with its own permission, its own limit, its own fault. */
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
  const { permission, feature, credentials, limit, body } = route.metadata;
  switch (code) {
    case 'VALIDATION_FAILED':
      return { variant: `${route.method} ${route.path}`, words: validationExample(route) };
    case 'FORBIDDEN':
      if (permission === null) return { variant: '', words: { detail: DETAILS.FORBIDDEN } };
      return {
        variant: permission,
        words: { detail: `You lack the permission ${permission}.`, permission },
      };
    case 'CREDENTIAL_NOT_ALLOWED': {
      const accepts = [...credentials];
      const kinds = accepts.join(', ');
      return { variant: kinds, words: { detail: `This endpoint takes: ${kinds}.`, accepts } };
    }
    case 'FEATURE_NOT_LICENSED': {
      const licensed = `${feature}`;
      return {
        variant: licensed,
        words: { detail: `Your tenant lacks ${licensed}.`, feature: licensed },
      };
    }
    case 'RATE_LIMITED':
      return {
        variant: limit,
        words: { detail: `The limit "${limit}" is used up for your address.`, limit },
      };
    case 'UNSUPPORTED_MEDIA_TYPE':
      return {
        variant: body,
        words: { detail: `The body must be sent as ${MEDIA_TYPES[body]}, not as text/plain.` },
      };
    case 'PAYLOAD_TOO_LARGE':
      return { variant: body, words: { detail: SIZES[body] } };
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
  json: 'A JSON body may hold 1 MiB, inflated.',
  form: 'A form may hold 256 KiB, inflated.',
  inventory:
    'line 17: This line is longer than the 4194304 bytes that one record may have. Is there a line feed between the records?',
};

const PREFLIGHT: Words = {
  detail: 'The project has no inventory.',
  checks: [
    {
      project: 'shop-prod',
      id: 'source.attached',
      code: 'INVENTORY_MISSING',
      message: 'The project has no inventory.',
      remediation: 'Upload a Cloud Asset Inventory export with PUT /projects/shop-prod/inventory.',
    },
  ],
};

/** What is said whatever is asked for. */
const DETAILS = {
  INVALID_TOKEN: 'The link is unknown, expired or used up.',
  TENANT_REQUIRED: 'Name the tenant in X-Tenant-ID.',
  BREAK_GLASS_REASON_REQUIRED: 'A master key is taken only with X-Break-Glass-Reason.',
  UNAUTHORIZED: 'No valid credential was sent.',
  INVALID_CREDENTIALS: 'What was sent opens no session.',
  TOTP_REQUIRED: 'Send the code of your authenticator as well.',
  INVALID_CODE: 'The code is wrong, or was used before.',
  REGISTRATION_CLOSED: 'New accounts are made by invitation here.',
  FORBIDDEN: 'You are no member of the tenant that X-Tenant-ID names.',
  REAUTH_REQUIRED: 'Send your current password, or sign in again: this session is not a young one.',
  MFA_REQUIRED: 'This endpoint wants a session with a second factor.',
  NOT_FOUND: 'There is nothing of that path or id in your tenant.',
  METHOD_NOT_ALLOWED: 'The path does not take this method.',
  CONFLICT: 'There is one of that name already.',
  IDEMPOTENCY_KEY_IN_USE: 'The first request with this Idempotency-Key is still running.',
  IDEMPOTENCY_KEY_MISMATCH: 'This Idempotency-Key was used with another payload.',
  INTERNAL: 'An unexpected error. Nothing was changed.',
  AUTH_UNAVAILABLE: 'Your credential cannot be verified at the moment.',
  SERVICE_UNAVAILABLE: 'The database is out of reach.',
} as const satisfies Partial<Record<ProblemCode, string>>;
