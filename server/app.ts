import { createServer, type Server } from 'node:http';
import express, { type Request, type Response } from 'express';
import type { Config } from './config.ts';
import { handlers } from './handlers/index.ts';
import { Pipeline, type PipelineOptions } from './pipeline/execute.ts';
import type { Handlers } from './pipeline/handler.ts';
import { observeRequest } from './pipeline/request-log.ts';
import { refuseUnparsed } from './pipeline/unparsed.ts';
import type { Services } from './services.ts';
import { inRequestSpan } from './tracing/request-span.ts';
import { isTracing } from './tracing/tracer.ts';

type AppConfig = Pick<Config, 'production' | 'corsOrigins' | 'rateLimit' | 'trustProxy'>;

/** Longer than the idle time of common load balancers, so that it is they who close an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const HEADERS_TIMEOUT_MS = 66_000;

export interface AppOptions extends Partial<Pick<PipelineOptions, 'routes'>> {
  readonly handlers?: Handlers;
}

/** The server over HTTP. Express knows of proxies and sockets; all else is the pipeline's. */
export function createApp(config: AppConfig, services: Services, options: AppOptions = {}): Server {
  const pipeline = new Pipeline(options.handlers ?? handlers, services, {
    production: config.production,
    corsOrigins: config.corsOrigins,
    limits: {
      defaultQuota: config.rateLimit,
      storeFor: services.limitStoreFor,
      onRefused: (limit) => services.metrics.refusedBy(limit),
    },
    ...(options.routes === undefined ? {} : { routes: options.routes }),
  });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.trustProxy);
  const serve = (req: Request, res: Response) => {
    observeRequest(req, res, services);
    return pipeline.execute(req, res);
  };
  app.use(isTracing ? (req, res) => inRequestSpan(req, res, () => serve(req, res)) : serve);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, app);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.on('clientError', refuseUnparsed);
  // An expectation that nobody has defined is passed over (RFC 9110 §10.1.1 leaves that to the server).
  server.on('checkExpectation', app);
  // An honest upload may take hours; bodies have idle times of their own.
  server.requestTimeout = 0;
  return server;
}
