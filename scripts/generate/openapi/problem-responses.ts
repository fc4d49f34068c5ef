import { impliedProblems, PROBLEMS, Problem, type ProblemCode, type Route } from '@cspm/contract';
import type { UseComponent } from './components.ts';
import type { HeaderName } from './headers.ts';
import { problemExample } from './problem-examples.ts';
import { commonHeaders, headersOf } from './responses.ts';

type ProblemStatus = (typeof PROBLEMS)[ProblemCode]['status'];

/** Refused before a credential is taken, so that there is no tenant to name. */
const BEFORE_TENANT: readonly number[] = [401, 429];

const OWN_HEADERS: Partial<Record<ProblemStatus, HeaderName>> = {
  401: 'WWW-Authenticate',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** Every refusal of a route by status, each a reference to an answer that routes share. */
export function problemResponses(
  route: Route,
  use: UseComponent,
): Record<string, { $ref: string }> {
  const byStatus = new Map<ProblemStatus, ProblemCode[]>();
  for (const code of impliedProblems(route)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, problemResponse(route, status, codes, use)]),
  );
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
  return use('responses', responseName(codes, status, common), {
    description: codes.map(describe).join('\n'),
    headers: headersOf(own === undefined ? common : [...common, own], use),
    content: {
      'application/problem+json': {
        schema: { $ref: `#/components/schemas/${Problem.meta()?.id}` },
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            use('examples', code, { summary: PROBLEMS[code].title, value: problemExample(code) }),
          ]),
        ),
      },
    },
  });
}

function describe(code: ProblemCode): string {
  const { title, help } = PROBLEMS[code];
  return `- \`${code}\`: ${title}. ${help}`;
}

/** Answers of one name have the same codes and the same headers. */
function responseName(
  codes: readonly ProblemCode[],
  status: number,
  headers: readonly HeaderName[],
): string {
  const name = codes.map(pascalCase).join('Or');
  const open = !headers.includes('X-Tenant-ID') && !BEFORE_TENANT.includes(status);
  return `${name}${open ? 'Public' : ''}${headers.includes('RateLimit') ? '' : 'Unlimited'}`;
}

function pascalCase(code: ProblemCode): string {
  return code
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join('');
}
