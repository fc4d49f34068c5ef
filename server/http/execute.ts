import { deprecationHeaders, PROBLEMS } from '@cspm/contract';
import type { Request, Response } from 'express';
import { prefersHtml } from '../platform/browser-request.ts';
import type { Handlers } from '../platform/handler.ts';
import { asProblem, notFound, ProblemError, problemBody } from '../platform/problem.ts';
import type { WebAddress } from '../platform/web-address.ts';
import { auditRefusal } from './audit-refusal.ts';
import { authorize } from './authorize.ts';
import { readBody } from './body.ts';
import { watchChunks } from './body-chunks.ts';
import { clientAddress } from './client-address.ts';
import {
  CLIENT_PACE,
  type ClientPace,
  discardRest,
  watchReader,
  watchUpload,
} from './client-pace.ts';
import { answerCors } from './cors.ts';
import { awaitsContinue } from './expect-continue.ts';
import { GLOBAL_KEY_DEPRECATION } from './global-key-deprecation.ts';
import { Limiter, type LimiterOptions } from './limits.ts';
import { abandonBody, LINGERING } from './lingering-close.ts';
import { type Endpoint, type Match, RouteTable } from './match.ts';
import { mount, type Serve } from './mount.ts';
import { searchParams } from './query.ts';
import { AUTHORIZED_FOR_MS, originOf, type RequestContext } from './request-context.ts';
import { setSecurityHeaders } from './security-headers.ts';
import type { HttpServices } from './services.ts';
import { usesSessionCookie } from './session-transport.ts';
import { checkSoleHeaders } from './single-value-headers.ts';
import { parseParams } from './validate-input.ts';

export interface PipelineOptions {
  readonly production: boolean;
  readonly corsOrigins: readonly string[];
  readonly limits: LimiterOptions;
  readonly routes?: RouteTable;
  /** Default: the production values. */
  readonly pace?: ClientPace;
}

/** Runs every request through the same stages. */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #services: HttpServices;
  readonly #routes: RouteTable;
  readonly #limiter: Limiter;
  readonly #pace: ClientPace;
  readonly #serve: ReadonlyMap<Endpoint, Serve>;

  constructor(handlers: Handlers<never>, services: HttpServices, options: PipelineOptions) {
    this.#options = options;
    this.#services = services;
    this.#routes = options.routes ?? new RouteTable();
    this.#limiter = new Limiter(options.limits);
    const pace = options.pace ?? CLIENT_PACE;
    this.#pace = pace;
    this.#serve = new Map(
      this.#routes.endpoints.map((endpoint) => [
        endpoint,
        mount(endpoint, handlers, services, pace),
      ]),
    );
  }

  async execute(req: Request, res: Response, correlationId: string): Promise<void> {
    const requestContext = createRequestContext(req, res, correlationId, this.#limiter, {
      reauthorize: () => this.#reauthorize(requestContext),
      giveUp: (problem) => this.#giveUp(requestContext, problem),
    });
    try {
      setSecurityHeaders(res, this.#options);
      if (answerCors(req, res, this.#options.corsOrigins)) return;
      await this.#stages(requestContext);
    } catch (error) {
      const problem = asProblem(error);
      await auditRefusal(requestContext, problem, this.#services);
      this.#refuse(requestContext, problem);
    } finally {
      discardRest(req, this.#pace);
    }
  }

  /**
   * Answers with a problem. Never throws: if the response cannot be written, only its connection is closed.
   * @param givesUp whether the rest of the body is neither read nor waited for. Default: if it is late, or was not asked for.
   */
  #refuse(
    requestContext: RequestContext,
    problem: ProblemError,
    givesUp = problem.code === 'REQUEST_TIMEOUT' || isUnasked(requestContext.req),
  ): void {
    try {
      refuse(requestContext, problem, this.#services, givesUp);
      const { res } = requestContext;
      if (res.writableLength > 0) watchReader(res, this.#pace);
    } catch (err) {
      this.#services.log.error(
        { err, ...factsOf(requestContext) },
        'Failed to send an error response',
      );
      requestContext.res.destroy();
    }
  }

  #giveUp(requestContext: RequestContext, problem: ProblemError): void {
    const { req, res } = requestContext;
    // A request that was refused before waits only for the rest of its body.
    if (res.headersSent) LINGERING.close(req.socket);
    else this.#refuse(requestContext, problem, true);
  }

  /** The stages in the order of refusal that the specification defines. */
  async #stages(requestContext: RequestContext): Promise<void> {
    const { req, res } = requestContext;
    const { path, search } = splitUrl(req.url);
    const found = attempt(() => this.#routes.match(req.method, path));
    const match = found instanceof ProblemError ? null : found;
    announceDeprecation(res, match);
    requestContext.navigation = isNavigation(req, match);
    await this.#limiter.count(requestContext, limitOf(match));
    checkSoleHeaders(req);
    if (found instanceof ProblemError) throw found;
    const { endpoint, params } = servedBy(found);
    const { metadata: policy } = endpoint.route;
    requestContext.endpoint = endpoint;
    const accepted = parseParams(endpoint, params);
    // A refusal before the parameters are required is audited with the object that they name.
    req.params = accepted ?? {};
    if (policy.credentials !== 'public') {
      requestContext.principal = await this.#identify(requestContext, endpoint);
      authorize(policy, requestContext.principal);
      requestContext.authorizedAt = performance.now();
    }
    if (policy.sessionTransport) {
      requestContext.cookieSession = usesSessionCookie(req.headers, this.#services.web.url);
    }
    if (accepted === null) throw notFound();
    requestContext.path = path;
    if (policy.body === 'inventory') watchUpload(req, this.#pace, requestContext.giveUp);
    if (policy.body !== 'none') watchChunks(req, requestContext.giveUp);
    const client = requestContext.principal?.tenant.id ?? req.ip ?? '';
    await readBody(req, res, policy.body, { pace: this.#pace, client });
    // A client can send the rest of a body long after its access was revoked. Uploads are authorized again at their end.
    if (performance.now() - requestContext.authorizedAt > AUTHORIZED_FOR_MS) {
      await requestContext.reauthorize();
    }
    Object.defineProperty(req, 'query', {
      value: search === '' ? {} : endpoint.parseQuery(searchParams(search)),
    });
    await this.#serve.get(endpoint)?.(requestContext);
  }

  async #reauthorize(requestContext: RequestContext): Promise<void> {
    const { req, principal, endpoint, authorizedAt } = requestContext;
    // The other credentials belong to the operator. Each check of a master key would count as a use.
    if (endpoint === null || (principal?.kind !== 'jwt' && principal?.kind !== 'api_key')) return;
    const { credentials, clock } = this.#services;
    // An access token may expire while a long upload that it began goes on; its session may not end.
    const begun = new Date(clock.now().getTime() - (performance.now() - authorizedAt));
    const again = await credentials.resolveTenant(
      await credentials.authenticate(req.headers, begun),
      req.headers['x-tenant-id'],
    );
    // The header is ignored for a person who may not switch tenants any more.
    if (again.tenant.id !== principal.tenant.id) {
      throw new ProblemError('FORBIDDEN', 'You may no longer use the tenant in X-Tenant-ID.');
    }
    authorize(endpoint.route.metadata, again);
    requestContext.principal = again;
  }

  /** Authenticates and resolves the tenant, which every later response names in `X-Tenant-ID`. */
  async #identify(requestContext: RequestContext, { name: operation }: Endpoint) {
    const { req, res } = requestContext;
    const { credentials, clock } = this.#services;
    const principal = await credentials.authenticate(req.headers);
    // The deprecation of the operation itself takes precedence.
    if (principal.kind === 'global_api_key' && !res.hasHeader('Deprecation')) {
      res.setHeader('Deprecation', GLOBAL_KEY_DEPRECATION);
    }
    res.setHeader('X-Tenant-ID', principal.tenant.id);
    // A tenant that is refused leaves the request in that of the credential, where the refusal is audited.
    requestContext.principal = principal;
    const resolved = await credentials.resolveTenant(principal, req.headers['x-tenant-id']);
    res.setHeader('X-Tenant-ID', resolved.tenant.id);
    const origin = originOf(requestContext, clock);
    await credentials.noteUse(resolved, { operation, origin });
    return resolved;
  }
}

function createRequestContext(
  req: Request,
  res: Response,
  correlationId: string,
  limiter: Limiter,
  actions: Pick<RequestContext, 'reauthorize' | 'giveUp'>,
): RequestContext {
  // The getter of Express parses the address again on each of several reads, and keeps the port that some proxies add.
  Object.defineProperty(req, 'ip', { value: clientAddress(req.ip) });
  const requestContext: RequestContext = {
    req,
    res,
    correlationId,
    remaining: (limit) => limiter.remaining(limit, req),
    ...actions,
    authorizedAt: 0,
    endpoint: null,
    cookieSession: false,
    navigation: false,
    path: null,
    principal: null,
    origin: null,
  };
  res.locals['requestContext'] = requestContext;
  return requestContext;
}

/** Whether the client has a body that the server did not ask for, so it may never come. */
function isUnasked(req: Request): boolean {
  return awaitsContinue(req) && !req.complete;
}

/** Set on every response of a deprecated operation, including refusals. */
function announceDeprecation(res: Response, match: Match | null): void {
  const deprecated = match?.kind === 'endpoint' && match.endpoint.route.metadata.deprecated;
  if (!deprecated) return;
  for (const [name, value] of Object.entries(deprecationHeaders(deprecated))) {
    res.setHeader(name, value);
  }
}

/** Probes are not limited; paths that are not served count against the general limit. */
function limitOf(match: Match | null) {
  return match?.kind === 'endpoint' ? match.endpoint.route.metadata.limit : 'default';
}

/** A program that uses the operation without HTML gets problems like everywhere else. */
function isNavigation(req: Request, match: Match | null): boolean {
  return match?.kind === 'endpoint' && match.endpoint.route.metadata.navigation && prefersHtml(req);
}

function servedBy(match: Match): Extract<Match, { kind: 'endpoint' }> {
  if (match.kind === 'unknown_path') throw notFound();
  if (match.kind === 'endpoint') return match;
  const allow = match.allow.join(', ');
  throw new ProblemError(
    'METHOD_NOT_ALLOWED',
    `The path does not support this method. Use one of: ${allow}.`,
    { headers: { Allow: allow } },
  );
}

/** The target of a request, which may be in absolute form (RFC 9112 §3.2.2). */
function splitUrl(url: string): { path: string; search: string } {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, search: '' }
    : { path: target.slice(0, mark), search: target.slice(mark + 1) };
}

/** Defers the error of an unreadable path until the request has been counted. */
function attempt(find: () => Match): Match | ProblemError {
  try {
    return find();
  } catch (error) {
    return asProblem(error);
  }
}

function refuse(
  requestContext: RequestContext,
  problem: ProblemError,
  services: HttpServices,
  givesUp: boolean,
): void {
  const { req, res } = requestContext;
  if (problem.code === 'INTERNAL' || problem.cause !== undefined) {
    services.log.error(
      { err: problem.cause ?? problem, ...factsOf(requestContext) },
      problem.message,
    );
  }
  if (res.headersSent) {
    // The handler of a request that was given up fails after its response.
    if (!res.writableEnded) res.destroy();
    return;
  }
  if (givesUp) res.setHeader('Connection', 'close');
  const text = requestContext.navigation
    ? redirected(requestContext, problem, services.web)
    : problemText(requestContext, problem);
  res.setHeader('Content-Length', Buffer.byteLength(text));
  if (req.complete || givesUp || req.method === 'HEAD') {
    res.end(req.method === 'HEAD' ? undefined : text);
    if (!givesUp || req.complete) return;
    LINGERING.insteadOfNode(req);
    // An answered request does not notice the end of its connection, so its reader would wait for ever.
    abandonBody(req);
    return;
  }
  // Ending a response may close its connection, and closing one with unread data resets it, so the client may lose the
  // response (RFC 9112 §9.6). The whole response is sent now and ended after the rest of the request.
  res.flushHeaders();
  if (text !== '') res.write(text);
  const end = () => res.end();
  req.once('end', end).once('close', end);
}

function problemText({ res, correlationId }: RequestContext, problem: ProblemError): string {
  for (const [name, value] of Object.entries(problem.headers)) res.setHeader(name, value);
  res.status(PROBLEMS[problem.code].status);
  res.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  return JSON.stringify(problemBody(problem, correlationId));
}

/** The page shows its own text for the code. The detail stays here, so that a link cannot put words into the page. */
function redirected(
  requestContext: RequestContext,
  { code }: ProblemError,
  web: WebAddress,
): string {
  const { req, res, correlationId } = requestContext;
  res.status(req.method === 'POST' ? 303 : 302);
  res.setHeader('Location', web.page('/auth/callback', { error: code, correlationId }));
  res.setHeader('Vary', 'Accept');
  return '';
}

/** The fields that every log line about a request has. */
export function factsOf(requestContext: RequestContext) {
  return {
    correlationId: requestContext.correlationId,
    operation: requestContext.endpoint?.name ?? null,
    route: requestContext.endpoint?.template ?? null,
    tenant: requestContext.principal?.tenant.id ?? null,
    principal: requestContext.principal?.user?.id ?? requestContext.principal?.kind ?? null,
  };
}
