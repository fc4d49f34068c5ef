import { describeQueryIssue } from '@cspm/contract';
import { createExpressEndpoints } from '@ts-rest/express';
import type { Request, Response } from 'express';
import type { Handlers } from '../platform/handler.ts';
import { inTurns, TenantTurns } from '../platform/tenant-turns.ts';
import { type ClientPace, readerOf, watchReader } from './client-pace.ts';
import { heldBytes } from './end-in-pieces.ts';
import type { Endpoint } from './match.ts';
import { NO_QUERY } from './query.ts';
import { reauthorizedPieces } from './reauthorized-pieces.ts';
import type { RequestContext } from './request-context.ts';
import { sendRevalidated } from './revalidate.ts';
import { sendJson } from './send-json.ts';
import type { HttpServices } from './services.ts';
import { contentTypeOf, sendStream } from './stream.ts';
import { type Answer, type LooseHandler, transact } from './transact.ts';
import { guarded, inputProblem } from './validate-input.ts';

/** Serves a matched and authorized request whose body has been read: validation, handler, response. */
export type Serve = (requestContext: RequestContext) => Promise<void>;

/**
 * Mounts one operation on its handler through ts-rest, which validates the input by the contract and writes the
 * response. The route is already matched, so ts-rest registers with a stand-in for an Express router.
 */
export function mount(
  endpoint: Endpoint,
  handlers: Handlers<never>,
  services: HttpServices,
  pace: ClientPace,
): Serve {
  const handle = handlerOf(endpoint, handlers);
  const requestContexts = new WeakMap<Request, RequestContext>();
  const serve = registered(endpoint, async ({ req, query, body }) => {
    const requestContext = requestContexts.get(req);
    if (requestContext === undefined) throw new Error('A request bypassed the pipeline');
    // Path parameters are parsed before the body is read.
    const call = { input: { params: req.params, query, body }, handle };
    const { stream } = endpoint.route.metadata;
    if (stream !== null && requestContext.principal !== null) {
      const { principal, res } = requestContext;
      const open = services.openStreams.begin(stream, principal, readerOf(res));
      try {
        const turn = STREAM_TURNS.of(principal.tenant.id);
        const pausing = { ...call, pause: turn.pause };
        const answer = await transact(requestContext, endpoint, pausing, services);
        // A response to HEAD has no body that would need a place.
        if (req.method !== 'HEAD') await open.enter();
        const { authorizedAt, reauthorize } = requestContext;
        // Server-sent events wait for something to happen, which must not take a turn. They end when their access does.
        const paced = (pieces: Pieces) =>
          open.pace.whileTaken(
            stream === 'events'
              ? pieces
              : reauthorizedPieces(inTurns(turn, pieces), authorizedAt, reauthorize),
          );
        await sendAnswer(res, endpoint, answer, { pace, paced });
      } finally {
        open.end();
      }
      throw SENT;
    }
    const answer = await transact(requestContext, endpoint, call, services);
    const { res } = requestContext;
    for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value);
    if (endpoint.route.metadata.cache === 'revalidate' && answer.status === 200) {
      await sendRevalidated(req, res, endpoint, answer);
      throw SENT;
    }
    if (answer.replayed) res.setHeader('Idempotency-Replayed', 'true');
    if (sendJson(req, res, answer)) throw SENT;
    return { status: answer.status, body: answer.body };
  });
  return async (requestContext) => {
    const { req, res } = requestContext;
    requestContexts.set(req, requestContext);
    await new Promise<void>((resolve, reject) => {
      const failed = (error?: unknown) =>
        error === SENT ? resolve() : reject(inputProblem(error));
      serve(req, res, failed).then(resolve, failed);
    });
    if (heldBytes(res) === 0) return;
    watchReader(res, pace);
    // Answers without a tenant share their bytes.
    const tenantId = requestContext.principal?.tenant.id;
    if (tenantId !== undefined) services.unreadAnswers.add(res, tenantId);
  };
}

type Pieces = AsyncIterable<string | Uint8Array>;

/** Shared by all servers of a process, because they share its event loop. */
const STREAM_TURNS = new TenantTurns();

async function sendAnswer(
  res: Response,
  endpoint: Endpoint,
  { headers, stream }: Answer,
  { pace, paced }: { readonly pace: ClientPace; readonly paced: (pieces: Pieces) => Pieces },
): Promise<void> {
  if (stream === undefined) throw new Error(`${endpoint.name} returned no stream`);
  const contentType = headers['Content-Type'] ?? contentTypeOf(endpoint);
  await sendStream(res, { ...headers, 'Content-Type': contentType }, paced(stream), pace);
}

/** Tells ts-rest that a response has been sent, or it would write its own. */
const SENT = Symbol('sent');

function handlerOf(endpoint: Endpoint, handlers: Handlers<never>): LooseHandler {
  const resource = handlers[endpoint.resource] as Record<string, unknown>;
  const handle = resource[endpoint.operation];
  if (handle === undefined) throw new Error(`${endpoint.name} has no handler`);
  // Handlers is typed by the contract; here all of them are called with the same signature.
  return handle as LooseHandler;
}

interface TsRestArguments {
  readonly req: Request;
  readonly query: unknown;
  readonly body: unknown;
}

type Implementation = (given: TsRestArguments) => Promise<{ status: number; body: unknown }>;

type TsRestHandler = (
  req: Request,
  res: Response,
  next: (error?: unknown) => void,
) => Promise<void>;

/** Captures the request handler that ts-rest would register with Express. */
function registered({ route }: Endpoint, implementation: Implementation): TsRestHandler {
  let handler: TsRestHandler | undefined;
  const register = (_path: string, ...steps: TsRestHandler[]) => {
    handler = steps.at(-1);
  };
  const catcher = {
    get: register,
    post: register,
    put: register,
    patch: register,
    delete: register,
    use: () => undefined,
  };
  const served = {
    ...route,
    pathParams: undefined,
    headers: guarded(route.headers),
    query: guarded(route.query ?? NO_QUERY, describeQueryIssue),
    ...('body' in route ? { body: guarded(route.body) } : {}),
  };
  const router = { served: implementation };
  // ts-rest's types require a whole Express application; it calls only these methods.
  createExpressEndpoints({ served } as never, router as never, catcher as never, {
    logInitialization: false,
    jsonQuery: false,
    responseValidation: false,
    requestValidationErrorHandler: (error) => {
      throw error;
    },
  });
  if (handler === undefined) throw new Error('ts-rest registered no handler');
  return handler;
}
