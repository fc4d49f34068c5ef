import { impliedProblems, PROBLEMS, Problem, type ProblemCode, type Route } from '@cspm/contract';
import type { UseComponent } from './components.ts';
import type { HeaderName } from './headers.ts';
import { problemExample } from './problem-examples.ts';
import { commonHeaders, headersOf } from './responses.ts';
import type { ResponseObject } from './types.ts';

type ProblemStatus = (typeof PROBLEMS)[ProblemCode]['status'];

/** Refused before authentication, so there is no tenant to name. */
const BEFORE_TENANT: readonly number[] = [401, 429];

const OWN_HEADERS: Partial<Record<ProblemStatus, HeaderName>> = {
  401: 'WWW-Authenticate',
  429: 'Retry-After',
  503: 'Retry-After',
};

const PROBLEM_SCHEMA = { $ref: `#/components/schemas/${Problem.meta()?.id}` };

/**
 * All problem responses of a route by status: a reference to a shared response, or its own if it has a specific
 * example. The default response covers problems of the HTTP parser or of a proxy.
 */
export function problemResponses(
  route: Route,
  use: UseComponent,
): Record<string, { $ref: string } | ResponseObject> {
  const byStatus = new Map<ProblemStatus, ProblemCode[]>();
  for (const code of impliedProblems(route)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const entries = [...byStatus].map(
    ([status, codes]) => [`${status}`, problemResponse(route, status, codes, use)] as const,
  );
  return { ...Object.fromEntries(entries), default: use('responses', 'Other', otherResponse(use)) };
}

function problemResponse(
  route: Route,
  status: ProblemStatus,
  codes: readonly ProblemCode[],
  use: UseComponent,
) {
  const common = commonHeaders(route).filter(
    (name) => name !== 'X-Tenant-ID' || !BEFORE_TENANT.includes(status),
  );
  const own = OWN_HEADERS[status];
  const variants = codes.map((code) => ({ code, ...problemExample(code, route) }));
  const examples = variants.map(({ code, variant, value }) => {
    const example = { summary: PROBLEMS[code].title, value };
    return [code, isOwn(code) ? example : use('examples', nameOf(code, variant), example)];
  });
  const response = {
    description: codes.map(describe).join('\n'),
    headers: headersOf(own === undefined ? common : [...common, own], use),
    content: {
      'application/problem+json': {
        schema: PROBLEM_SCHEMA,
        examples: Object.fromEntries(examples),
      },
    },
  };
  if (codes.some(isOwn)) return response;
  const names = variants.map(({ code, variant }) => nameOf(code, variant));
  return use('responses', responseName(names, status, common), response);
}

/** No two operations have the same input, so each has its own validation example. */
function isOwn(code: ProblemCode): boolean {
  return code === 'VALIDATION_FAILED';
}

function describe(code: ProblemCode): string {
  const { title, help } = PROBLEMS[code];
  return `- \`${code}\`: ${title}. ${help}`;
}

/** A component name such as `ForbiddenScansRead`. Examples with the same name are equal. */
function nameOf(code: ProblemCode, variant: string): string {
  const words = `${code.toLowerCase()}_${variant}`.split(/[^A-Za-z0-9]+/);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

/** Responses with the same name have the same examples and headers. */
function responseName(
  names: readonly string[],
  status: number,
  headers: readonly HeaderName[],
): string {
  const open = !headers.includes('X-Tenant-ID') && !BEFORE_TENANT.includes(status);
  return [
    names.join('Or'),
    open ? 'Public' : '',
    headers.includes('RateLimit') ? '' : 'Unlimited',
    headers.includes('Deprecation') ? 'Deprecated' : '',
    headers.includes('Sunset') ? 'Sunset' : '',
  ].join('');
}

/** Every response has a correlation id, including those of the HTTP parser. */
const otherResponse = (use: UseComponent): ResponseObject => ({
  description:
    'Other errors have the same format: malformed HTTP (400), header fields that do not arrive in time (408) or are too large (431).',
  headers: headersOf(['X-Correlation-ID'], use),
  content: {
    'application/problem+json': {
      schema: PROBLEM_SCHEMA,
      example: {
        type: '/problems/payload-too-large',
        title: PROBLEMS.PAYLOAD_TOO_LARGE.title,
        status: 431,
        detail: 'The header fields of a request are limited to 16 KiB.',
        code: 'PAYLOAD_TOO_LARGE',
        correlationId: '0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11',
      } satisfies Problem,
    },
  },
});
