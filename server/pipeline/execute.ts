import { deprecationHeaders, type LimitName, PROBLEMS } from '@cspm/contract';
import type { Request, Response } from 'express';
import { authenticate } from '../identity/authenticate.ts';
import { GLOBAL_KEY_DEPRECATION } from '../identity/global-key.ts';
import type { Services } from '../services.ts';
import { auditRefusal } from './audit-refusal.ts';
import { authorize } from './authorize.ts';
import { discardRest, readBody } from './body.ts';
import { correlationIdFrom } from './correlation.ts';
import { answerCors } from './cors.ts';
import { type Exchange, originOf } from './exchange.ts';
import type { Handlers } from './handler.ts';
import { Limiter, type LimiterOptions } from './limits.ts';
import { type Endpoint, type Match, RouteTable } from './match.ts';
import { hasValidParams, mount, type Serve } from './mount.ts';
import { asProblem, notFound, ProblemError, problemBody } from './problems.ts';
import { searchParams } from './query.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { refuseDoubledHeaders } from './sole-headers.ts';
import { resolveTenant } from './tenant.ts';

export interface PipelineOptions {
  readonly production: boolean;
  readonly corsOrigins: readonly string[];
  readonly limits: LimiterOptions;
  readonly routes?: RouteTable;
}

/** The way of every request, whatever it asks for. */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #services: Services;
  readonly #routes: RouteTable;
  readonly #limiter: Limiter;
  readonly #serve: ReadonlyMap<Endpoint, Serve>;

  constructor(handlers: Handlers, services: Services, options: PipelineOptions) {
    this.#options = options;
    this.#services = services;
    this.#routes = options.routes ?? new RouteTable();
    this.#limiter = new Limiter(options.limits);
    this.#serve = new Map(
      this.#routes.endpoints.map((endpoint) => [endpoint, mount(endpoint, handlers, services)]),
    );
  }

  async execute(req: Request, res: Response): Promise<void> {
    const exchange = begin(req, res, this.#limiter);
    setSecurityHeaders(res, this.#options);
    if (answerCors(req, res, this.#options.corsOrigins)) return;
    try {
      await this.#stages(exchange);
    } catch (error) {
      const problem = asProblem(error);
      await auditRefusal(exchange, problem, this.#services);
      refuse(exchange, problem, this.#services);
    }
  }

  /** The stages in their order, which is the order of refusal that the specification sets. */
  async #stages(exchange: Exchange): Promise<void> {
    const { req, res } = exchange;
    const { path, search } = splitUrl(req.url);
    const found = attempt(() => this.#routes.match(req.method, path));
    const match = found instanceof ProblemError ? null : found;
    announceDeprecation(res, match);
    await this.#limiter.count(exchange, limitOf(match));
    refuseDoubledHeaders(req);
    if (found instanceof ProblemError) throw found;
    const { endpoint, params } = servedBy(found);
    const { metadata: policy } = endpoint.route;
    exchange.endpoint = endpoint;
    if (policy.credentials !== 'public') {
      exchange.principal = await this.#identify(exchange, endpoint);
      authorize(policy, exchange.principal);
    }
    if (!hasValidParams(endpoint, params)) throw notFound();
    exchange.path = path;
    req.params = params;
    await readBody(req, res, policy.body);
    Object.defineProperty(req, 'query', {
      value: endpoint.parseQuery(searchParams(search)),
    });
    await this.#serve.get(endpoint)?.(exchange);
  }

  /** Authenticates, and settles the tenant, which from here on is said in every answer. */
  async #identify(exchange: Exchange, { name: operation }: Endpoint) {
    const { req, res } = exchange;
    const principal = await authenticate(req.headers, this.#services.authenticator);
    // Of an operation that is deprecated itself, what is said of it goes before.
    if (principal.kind === 'global_api_key' && !res.hasHeader('Deprecation')) {
      res.setHeader('Deprecation', GLOBAL_KEY_DEPRECATION);
    }
    res.setHeader('X-Tenant-ID', principal.tenant.id);
    const resolved = await resolveTenant(
      principal,
      req.headers['x-tenant-id'],
      this.#services.directory,
    );
    res.setHeader('X-Tenant-ID', resolved.tenant.id);
    const origin = originOf(exchange, this.#services.clock);
    await this.#services.sharedCredentials.note(resolved, { operation, origin });
    return resolved;
  }
}

function begin(req: Request, res: Response, limiter: Limiter): Exchange {
  const correlationId = correlationIdFrom(req.headers['x-correlation-id']);
  res.setHeader('X-Correlation-ID', correlationId);
  const remaining = (limit: LimitName) => limiter.remaining(limit, req);
  const exchange = {
    ...{ req, res, correlationId, remaining },
    ...{ endpoint: null, path: null, principal: null, origin: null },
  };
  res.locals['exchange'] = exchange;
  return exchange;
}

/** On every answer of such an operation, refusals included. */
function announceDeprecation(res: Response, match: Match | null): void {
  const deprecated = match?.kind === 'endpoint' && match.endpoint.route.metadata.deprecated;
  if (!deprecated) return;
  for (const [name, value] of Object.entries(deprecationHeaders(deprecated))) {
    res.setHeader(name, value);
  }
}

/** Probes are outside the limits; what is not served counts against the general one. */
function limitOf(match: Match | null) {
  return match?.kind === 'endpoint' ? match.endpoint.route.metadata.limit : 'default';
}

function servedBy(match: Match): Extract<Match, { kind: 'endpoint' }> {
  if (match.kind === 'unknown_path') throw notFound();
  if (match.kind === 'endpoint') return match;
  throw new ProblemError('METHOD_NOT_ALLOWED', 'The path does not take this method.', {
    headers: { Allow: match.allow.join(', ') },
  });
}

/** The target of a request, which may also come in absolute form (RFC 9112 §3.2.2). */
function splitUrl(url: string): { path: string; search: string } {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, search: '' }
    : { path: target.slice(0, mark), search: target.slice(mark + 1) };
}

/** A path that cannot be read is refused only after it was counted. */
function attempt(find: () => Match): Match | ProblemError {
  try {
    return find();
  } catch (error) {
    return asProblem(error);
  }
}

function refuse(exchange: Exchange, problem: ProblemError, services: Services): void {
  const { req, res } = exchange;
  if (problem.code === 'INTERNAL' || problem.cause !== undefined) {
    services.log.error({ err: problem.cause ?? problem, ...factsOf(exchange) }, problem.message);
  }
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const [name, value] of Object.entries(problem.headers)) res.setHeader(name, value);
  res.status(PROBLEMS[problem.code].status);
  res.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  res.end(
    req.method === 'HEAD'
      ? undefined
      : JSON.stringify(problemBody(problem, exchange.correlationId)),
  );
  discardRest(req);
}

/** What every log line about a request says of it. */
export function factsOf(exchange: Exchange) {
  return {
    correlationId: exchange.correlationId,
    operation: exchange.endpoint?.name ?? null,
    route: exchange.endpoint?.template ?? null,
    tenant: exchange.principal?.tenant.id ?? null,
    principal: exchange.principal?.user?.id ?? exchange.principal?.kind ?? null,
  };
}
