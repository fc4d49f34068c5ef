import { readFileSync } from 'node:fs';
import { impliedProblems, PROBLEMS, Problem, problemType, type Route } from '@cspm/contract';
import { z } from 'zod';
import type { Reply } from './test-server.ts';

const ALWAYS: Record<string, RegExp> = {
  'x-correlation-id': /^[A-Za-z0-9._-]{1,64}$/,
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^no-referrer$/,
  'content-security-policy': /^default-src 'none'/,
};

const NEVER = ['x-powered-by', 'server'];

/** One schema, because zod compiles each before its first use. */
const STRICT_PROBLEM = Problem.strict();

/** Headers that are required for a status. */
const BY_STATUS: Record<number, { name: string; form: RegExp }> = {
  401: { name: 'www-authenticate', form: /^Bearer$/ },
  405: { name: 'allow', form: /^[A-Z]+(, [A-Z]+)*$/ },
  429: { name: 'retry-after', form: /^[1-9]\d*$/ },
  503: { name: 'retry-after', form: /^[1-9]\d*$/ },
};

/**
 * All faults of a response: headers that every response must have, and whether the contract declares it for its
 * operation (null: the request matched no operation).
 */
export function replyFaults(reply: Reply, route: Route | null, method = 'GET'): string[] {
  const faults: string[] = [];
  const { status, headers } = reply;
  for (const [name, form] of Object.entries(ALWAYS)) {
    if (!form.test(headers.get(name) ?? '')) faults.push(`${name} is ${headers.get(name)}`);
  }
  for (const name of NEVER) {
    if (headers.has(name)) faults.push(`${name} is ${headers.get(name)}`);
  }
  faults.push(...cacheFaults(reply, route), ...undocumentedHeaders(reply, route));
  if (status === 304 && route?.metadata.cache === 'revalidate') {
    return reply.text === '' ? faults : [...faults, '304 has a body'];
  }
  const declared = route !== null && Object.hasOwn(route.responses, status);
  if (declared) return [...faults, ...declaredFaults(reply, route, method)];
  if (status < 400) return [...faults, `status ${status} is not declared`];
  return [...faults, ...problemFaults(reply, route, method)];
}

interface Documented {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

const DOCUMENT: {
  readonly paths: Record<string, Record<string, { responses: Record<string, Documented> }>>;
  readonly components: { headers: object; responses: Record<string, Documented> };
} = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));

/** Headers of the API that openapi.json does not have at this response. Pages for browsers are not in it. */
function undocumentedHeaders({ status, headers }: Reply, route: Route | null): string[] {
  const path = route?.path.replaceAll(/:(\w+)/g, '{$1}') ?? '';
  const operation = DOCUMENT.paths[path]?.[route?.method.toLowerCase() ?? ''];
  const response = operation?.responses[status];
  if (response === undefined) return [];
  const name = response.$ref?.split('/').at(-1) ?? '';
  const documented = (DOCUMENT.components.responses[name] ?? response).headers ?? {};
  return Object.keys(DOCUMENT.components.headers)
    .filter((header) => headers.has(header) && !(header in documented))
    .map((header) => `${header} of ${status} is not in openapi.json`);
}

/** Only what may be revalidated may be kept, and never by a cache that several people share. */
function cacheFaults({ status, headers }: Reply, route: Route | null): string[] {
  const policy = route?.metadata;
  const isKept = policy?.cache === 'revalidate' && status < 400;
  const wanted = !isKept ? 'no-store' : policy.credentials === 'public' ? 'no-cache' : PRIVATE;
  const control = headers.get('cache-control');
  return [
    ...(control === wanted ? [] : [`cache-control is ${control}`]),
    ...(headers.has('etag') === isKept ? [] : [`etag is ${headers.get('etag')}`]),
  ];
}

const PRIVATE = 'private, no-cache';

function declaredFaults(reply: Reply, route: Route, method: string): string[] {
  const type = reply.headers.get('content-type');
  const schema: unknown = (route.responses as Record<number, unknown>)[reply.status];
  if (reply.status === 204) return reply.text === '' ? [] : ['204 has a body'];
  if (reply.status >= 300 && reply.status < 400) {
    // It may be relative to the request (RFC 9110 §10.2.2).
    const location = reply.headers.get('location') || 'http://';
    return URL.canParse(location, 'http://localhost') ? [] : ['leads nowhere'];
  }
  // Server-sent events are always UTF-8.
  if (!(schema instanceof z.ZodType))
    return /charset=utf-8$|^text\/event-stream$/.test(type ?? '') ? [] : [`is ${type}`];
  if (type !== 'application/json; charset=utf-8') return [`content type is ${type}`];
  if (method === 'HEAD') return [];
  const parsed = schema.safeParse(reply.json);
  return parsed.success ? [] : [`${reply.status} does not fit: ${parsed.error.message}`];
}

function problemFaults(reply: Reply, route: Route | null, method: string): string[] {
  const { status, headers } = reply;
  const faults: string[] = [];
  const wanted = BY_STATUS[status];
  if (wanted !== undefined && !wanted.form.test(headers.get(wanted.name) ?? '')) {
    faults.push(`${status} with ${wanted.name} ${headers.get(wanted.name)}`);
  }
  const type = headers.get('content-type');
  if (type !== 'application/problem+json; charset=utf-8') faults.push(`${status} is ${type}`);
  if (method === 'HEAD') return faults;
  const parsed = STRICT_PROBLEM.safeParse(reply.json);
  if (!parsed.success) return [...faults, `${status} is no problem: ${reply.text.slice(0, 200)}`];
  const problem = parsed.data;
  if (problem.status !== status || PROBLEMS[problem.code].status !== status) {
    faults.push(`${problem.code} came as ${status}`);
  }
  if (problem.type !== problemType(problem.code)) faults.push(`type is ${problem.type}`);
  if (problem.correlationId !== headers.get('x-correlation-id')) {
    faults.push('the correlation id of the body is not that of the header');
  }
  if (route !== null && !impliedProblems(route).includes(problem.code)) {
    faults.push(`${problem.code} is not among the problems of the operation`);
  }
  return faults;
}
