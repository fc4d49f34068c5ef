import { context } from '@opentelemetry/api';
import type { Request, Response } from 'express';
import type { Services } from '../services.ts';
import { isTracing } from '../tracing/tracer.ts';
import type { Exchange } from './exchange.ts';
import { factsOf } from './execute.ts';

/** Tells of a request when it is over: in the metrics, and in one line of the log. */
export function observeRequest(req: Request, res: Response, { log, metrics }: Services): void {
  const startedAt = performance.now();
  const tell = () => {
    const exchange: Exchange | undefined = res.locals['exchange'];
    metrics.served({
      operation: exchange?.endpoint?.name ?? null,
      method: req.method,
      status: res.statusCode,
      seconds: (performance.now() - startedAt) / 1000,
    });
    if (!log.isLevelEnabled('info')) return;
    log.info(
      {
        ...(exchange === undefined ? {} : factsOf(exchange)),
        method: req.method,
        status: res.statusCode,
        durationMs: Math.round(performance.now() - startedAt),
        ...(res.writableFinished ? {} : { aborted: true }),
      },
      'request',
    );
  };
  // The socket, which closes it, knows nothing of the request's span.
  res.once('close', isTracing ? context.bind(context.active(), tell) : tell);
}
