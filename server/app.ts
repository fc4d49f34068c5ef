import { createServer, type Server } from 'node:http';
import express, { type Request, type Response } from 'express';
import type { Config } from './config.ts';
import { handlers } from './handlers.ts';
import { refuseTunnel, refuseUnparsed } from './http/client-error.ts';
import { CLIENT_PACE } from './http/client-pace.ts';
import { limitConnections } from './http/connection-limits.ts';
import { consoleServer } from './http/console.ts';
import { correlationIdFrom } from './http/correlation.ts';
import { Pipeline, type PipelineOptions } from './http/execute.ts';
import { serveExpectations } from './http/expect-continue.ts';
import { messagesOf } from './http/express-messages.ts';
import { oneAtATime } from './http/pipelined-requests.ts';
import { observeRequest } from './http/request-log.ts';
import { inRequestSpan } from './http/request-span.ts';
import { hasInvalidHost } from './http/single-value-headers.ts';
import type { Handlers } from './platform/handler.ts';
import { ROOT } from './platform/root.ts';
import { isTracing } from './platform/tracing/tracer.ts';
import type { Services } from './services.ts';

type AppConfig = Pick<
  Config,
  'production' | 'corsOrigins' | 'rateLimit' | 'trustProxy' | 'maxConnections'
>;

/** How often Node checks for connections whose header fields are late. */
const CHECK_EVERY_MS = 10_000;

export interface AppOptions extends Partial<Pick<PipelineOptions, 'routes' | 'pace'>> {
  readonly handlers?: Handlers<Services>;
  /** Folder of the built console. Default: `dist/console` of this project. */
  readonly consoleFolder?: URL;
}

/** The built console, in the project and in the standalone build. */
const CONSOLE_FOLDER = new URL('dist/console/', ROOT);

/** The HTTP server. Express handles proxies and sockets; the pipeline does everything else. */
export function createApp(config: AppConfig, services: Services, options: AppOptions = {}): Server {
  const pace = options.pace ?? CLIENT_PACE;
  const pipeline = new Pipeline(options.handlers ?? handlers, services, {
    production: config.production,
    corsOrigins: config.corsOrigins,
    limits: {
      defaultQuota: config.rateLimit,
      storeFor: services.limitStoreFor,
      onRefused: (limit) => services.metrics.refusedBy(limit),
    },
    pace,
    ...(options.routes === undefined ? {} : { routes: options.routes }),
  });
  const serveConsole = consoleServer({
    folder: options.consoleFolder ?? CONSOLE_FOLDER,
    production: config.production,
    pace,
  });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.trustProxy);
  const serve = async (req: Request, res: Response) => {
    const correlationId = correlationIdFrom(req.headers['x-correlation-id']);
    res.setHeader('X-Correlation-ID', correlationId);
    observeRequest(req, res, correlationId, services);
    if (!hasInvalidHost(req) && serveConsole(req, res)) return;
    await pipeline.execute(req, res, correlationId);
  };
  app.use(isTracing ? (req, res) => inRequestSpan(req, res, () => serve(req, res)) : serve);
  const server = createServer(
    {
      ...messagesOf(app),
      keepAliveTimeout: pace.idleMs,
      headersTimeout: pace.headersMs,
      // The pipeline refuses requests without this header, with a problem.
      requireHostHeader: false,
      // A valid upload may take hours; bodies have their own timeouts.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, pace.headersMs / 2),
    },
    oneAtATime(app),
  );
  limitConnections(server, { most: config.maxConnections, direct: config.trustProxy === false });
  server.on('clientError', refuseUnparsed);
  server.on('connect', refuseTunnel);
  serveExpectations(server);
  return server;
}
