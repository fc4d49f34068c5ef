import {
  impliedProblems,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  type Route,
} from '@cspm/contract';
import type { UseComponent } from './components.ts';
import type { HeaderName } from './headers.ts';
import { problemExample } from './problem-examples.ts';
import { problemSchema } from './problem-schemas.ts';
import { inCamelCase, refusalName } from './refusal-names.ts';
import { commonHeaders, headersOf } from './responses.ts';
import type { ExampleObject, ResponseObject, SchemaObject } from './types.ts';

type ProblemStatus = (typeof PROBLEMS)[ProblemCode]['status'];

/** Refused before authentication, so there is no tenant to name, unless the operation itself refuses with this status. */
const BEFORE_TENANT: readonly number[] = [401, 429];

const ANY_PROBLEM = schemaReference('Problem');

/** The examples of one code, by what distinguishes them: a permission, a limit. */
type Variants = Map<string, Problem>;

/**
 * All problem responses of the operations. Operations whose refusals of a status have the same codes and headers share
 * one response, such as `ForbiddenMfa`, which lists the example of each permission. Each response has a closed set of
 * codes in its schema, such as `ForbiddenMfaProblem`.
 */
export class ProblemResponses {
  readonly #use: UseComponent;
  readonly #examples = new Map<string, Map<ProblemCode, Variants>>();
  readonly #sets = new Map<string, { codes: readonly ProblemCode[]; example: Problem }>();

  /** @throws {Error} when two sets of codes have the same name. */
  constructor(routes: readonly Route[], use: UseComponent) {
    this.#use = use;
    for (const route of routes) {
      for (const [status, codes] of refusalsOf(route)) {
        this.#addSet(codes, route);
        this.#addExamples(responseName(route, status, codes), codes, route);
      }
    }
  }

  /**
   * By status: a reference to a shared response, or an own one if it has an example of its own. The default response
   * covers problems of the HTTP parser or of a proxy.
   */
  of(route: Route): Record<string, { $ref: string } | ResponseObject> {
    const entries = refusalsOf(route).map(
      ([status, codes]) => [`${status}`, this.#response(route, status, codes)] as const,
    );
    const other = this.#use('responses', 'Other', otherResponse(this.#use));
    return { ...Object.fromEntries(entries), default: other };
  }

  /** The schemas of all sets of codes by name, made from that of `Problem`. */
  schemas(problem: SchemaObject | { $ref: string } | undefined): Record<string, SchemaObject> {
    if (problem === undefined || '$ref' in problem) throw new Error('Problem has no schema.');
    return Object.fromEntries(
      [...this.#sets].map(([name, { codes, example }]) => [
        name,
        problemSchema(problem, codes, example),
      ]),
    );
  }

  #addSet(codes: readonly ProblemCode[], route: Route): void {
    const name = schemaName(codes);
    const known = this.#sets.get(name);
    if (known === undefined) {
      const [first] = codes;
      if (first) this.#sets.set(name, { codes, example: problemExample(first, route).value });
    } else if (known.codes.join() !== codes.join()) {
      throw new Error(`${name} stands for ${known.codes} and for ${codes}: see refusal-names.ts`);
    }
  }

  #addExamples(name: string, codes: readonly ProblemCode[], route: Route): void {
    const byCode = this.#examples.get(name) ?? new Map<ProblemCode, Variants>();
    this.#examples.set(name, byCode);
    for (const code of codes) {
      const { variant, value } = problemExample(code, route);
      byCode.set(code, (byCode.get(code) ?? new Map()).set(variant, value));
    }
  }

  #response(route: Route, status: ProblemStatus, codes: readonly ProblemCode[]) {
    const headers = [...headersFor(route, status), ...ownHeaders(route, status, codes)];
    const name = responseName(route, status, codes);
    const isOwn = codes.some(hasOwnExample);
    const examples = codes.flatMap((code) => this.#examplesOf(code, route, name));
    const response = {
      description: codes.map(describe).join('\n'),
      headers: headersOf(headers, this.#use),
      content: {
        'application/problem+json': {
          schema: schemaReference(schemaName(codes)),
          examples: Object.fromEntries(examples),
        },
      },
    };
    return isOwn ? response : this.#use('responses', name, response);
  }

  /** The key of the first example is the code; that of the others also names what distinguishes them. */
  #examplesOf(code: ProblemCode, route: Route, response: string): [string, Example][] {
    if (hasOwnExample(code)) return [[code, exampleOf(code, problemExample(code, route).value)]];
    const variants = [...(this.#examples.get(response)?.get(code) ?? [])].sort(byVariant);
    return variants.map(([variant, value], index) => {
      const name = inCamelCase(`${code} ${variant}`);
      const key = index === 0 ? code : `${code}.${variant}`;
      return [key, this.#use('examples', name, exampleOf(code, value))];
    });
  }
}

type Example = ExampleObject | { $ref: string };

function refusalsOf(route: Route): [ProblemStatus, ProblemCode[]][] {
  const byStatus = new Map<ProblemStatus, ProblemCode[]>();
  for (const code of impliedProblems(route)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus];
}

/** What holds for every operation comes first: an example without a variant, and that of the default limit. */
function byVariant([a]: [string, Problem], [b]: [string, Problem]): number {
  const rank = (variant: string) => ['', 'default', 'json'].indexOf(variant) >>> 0;
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function exampleOf(code: ProblemCode, value: Problem) {
  return { summary: PROBLEMS[code].title, value };
}

/** No two operations have the same input, so each has its own validation example. */
function hasOwnExample(code: ProblemCode): boolean {
  return code === 'VALIDATION_FAILED';
}

function describe(code: ProblemCode): string {
  const { title, help } = PROBLEMS[code];
  return `- \`${code}\`: ${title}. ${help}`;
}

function schemaName(codes: readonly ProblemCode[]): string {
  return `${refusalName(codes)}Problem`;
}

function schemaReference(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

function headersFor(route: Route, status: number): HeaderName[] {
  const names = commonHeaders(route).filter(
    (name) =>
      name !== 'X-Tenant-ID' || !BEFORE_TENANT.includes(status) || refusesItself(route, status),
  );
  // Every refusal after authentication may be that of a request with the global API key.
  const isNew = names.includes('X-Tenant-ID') && !names.includes('Deprecation');
  return isNew ? [...names, 'Deprecation'] : names;
}

/** The headers that belong to the status and the codes of a refusal. */
function ownHeaders(
  route: Route,
  status: ProblemStatus,
  codes: readonly ProblemCode[],
): HeaderName[] {
  const repeats = refusesRefresh(route, status) || codes.includes('IDEMPOTENCY_KEY_IN_USE');
  const names: HeaderName[] = [];
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503 || repeats) names.push('Retry-After');
  if (refusesRefresh(route, status)) names.push('Set-Cookie');
  return names;
}

/**
 * Whether a public operation refuses the session itself. It then deletes the cookie, or tells a page to repeat the
 * request with the cookie of another page.
 */
function refusesRefresh({ metadata: policy }: Route, status: ProblemStatus): boolean {
  return status === 401 && policy.sessionTransport && policy.problems.includes('UNAUTHORIZED');
}

/** Whether the operation refuses requests with this status after authentication. */
function refusesItself({ metadata: { problems, stream } }: Route, status: number): boolean {
  return (
    problems.some((code) => PROBLEMS[code].status === status) || (stream !== null && status === 429)
  );
}

/** Responses with the same name have the same codes and headers. */
function responseName(route: Route, status: ProblemStatus, codes: readonly ProblemCode[]): string {
  const headers = headersFor(route, status);
  const open = !headers.includes('X-Tenant-ID') && !BEFORE_TENANT.includes(status);
  return [
    refusalName(codes),
    open ? 'Public' : '',
    headers.includes('X-Tenant-ID') && BEFORE_TENANT.includes(status) ? 'WithTenant' : '',
    headers.includes('RateLimit') ? '' : 'Unlimited',
    refusesRefresh(route, status) ? 'Session' : '',
    route.metadata.deprecated === null ? '' : 'Deprecated',
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
      schema: ANY_PROBLEM,
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
