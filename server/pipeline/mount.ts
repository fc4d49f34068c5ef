import { createExpressEndpoints, RequestValidationError } from '@ts-rest/express';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Services } from '../services.ts';
import type { Exchange } from './exchange.ts';
import type { Handlers } from './handler.ts';
import type { Endpoint } from './match.ts';
import { notFound, validationFailed } from './problems.ts';
import { NO_QUERY } from './query.ts';
import { sendStream } from './stream.ts';
import { type LooseHandler, transact } from './transact.ts';

/** Serves a matched, authorised request whose body is read: validation, handler, response. */
export type Serve = (exchange: Exchange) => Promise<void>;

type TsRestHandler = (
  req: Request,
  res: Response,
  next: (error?: unknown) => void,
) => Promise<void>;

/**
 * Mounts one operation on its handler by way of ts-rest, which validates the input by the contract and writes the
 * response. The route is found already, so ts-rest registers with a catcher instead of an Express router.
 */
export function mount(endpoint: Endpoint, handlers: Handlers, services: Services): Serve {
  const handle = handlerOf(endpoint, handlers);
  const exchanges = new WeakMap<Request, Exchange>();
  const serve = caught(
    {
      ...endpoint.route,
      query: endpoint.route.query ?? NO_QUERY,
    },
    async ({ req, params, query, body }) => {
      const exchange = exchanges.get(req);
      if (exchange === undefined) throw new Error('A request came around the pipeline');
      const answer = await transact(
        exchange,
        endpoint,
        { input: { params, query, body }, handle },
        services,
      );
      if (answer.stream !== undefined) {
        const contentType = answer.headers['Content-Type'] ?? contentTypeOf(endpoint);
        const headers = { ...answer.headers, 'Content-Type': contentType };
        await sendStream(exchange.res, headers, answer.stream);
        throw SENT;
      }
      for (const [name, value] of Object.entries(answer.headers))
        exchange.res.setHeader(name, value);
      if (answer.replayed) exchange.res.setHeader('Idempotency-Replayed', 'true');
      return { status: answer.status, body: answer.body };
    },
  );
  return (exchange) => {
    exchanges.set(exchange.req, exchange);
    return new Promise((resolve, reject) => {
      const failed = (error?: unknown) => (error === SENT ? resolve() : reject(inputFault(error)));
      serve(exchange.req, exchange.res, failed).then(resolve, failed);
    });
  };
}

/** Tells ts-rest, which would write an answer of its own, that there is one already. */
const SENT = Symbol('sent');

/** @throws {Error} for a streamed operation that declares no content type. */
function contentTypeOf({ name, route }: Endpoint): string {
  const response: unknown = route.responses[200];
  if (typeof response === 'object' && response !== null && 'contentType' in response) {
    return String(response.contentType);
  }
  throw new Error(`${name} streams, and does not say what`);
}

function handlerOf(endpoint: Endpoint, handlers: Handlers): LooseHandler {
  const resource = handlers[endpoint.resource] as Record<string, unknown>;
  const handle = resource[endpoint.operation];
  if (typeof handle !== 'function') throw new Error(`${endpoint.name} has no handler`);
  // Handlers is typed by the contract; here all of them are called alike.
  return handle as LooseHandler;
}

interface TsRestArguments {
  readonly req: Request;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

type Implementation = (given: TsRestArguments) => Promise<{ status: number; body: unknown }>;

/** The request handler that ts-rest would have given to Express. */
function caught(route: Endpoint['route'], implementation: Implementation): TsRestHandler {
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
  // ts-rest's types want a whole Express application; of it, it calls these methods.
  createExpressEndpoints({ route } as never, { route: implementation } as never, catcher as never, {
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

/** ts-rest's list of faults as ours. A path parameter that cannot be right names nothing that exists. */
function inputFault(error: unknown): unknown {
  if (!(error instanceof RequestValidationError)) return error;
  if (error.pathParams !== null) return notFound();
  return validationFailed([
    ...faultsIn('headers', error.headers),
    ...faultsIn('query', error.query),
    ...faultsIn('body', error.body),
  ]);
}

interface Issue {
  readonly path?: readonly unknown[];
  readonly message: string;
}

function faultsIn(place: string, error: unknown): { path: string; message: string }[] {
  if (error === null || typeof error !== 'object' || !('issues' in error)) return [];
  const issues = Array.isArray(error.issues) ? (error.issues as Issue[]) : [];
  return issues.map((issue) => ({
    path: [place, ...(issue.path ?? []).map(String)].join('.'),
    message: issue.message,
  }));
}

export function hasValidParams(endpoint: Endpoint, params: unknown): boolean {
  const { pathParams } = endpoint.route;
  return !(pathParams instanceof z.ZodType) || pathParams.safeParse(params).success;
}
