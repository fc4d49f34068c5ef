import { context } from '@opentelemetry/api';
import type { Request, Response } from 'express';
import { isTracing } from '../platform/tracing/tracer.ts';
import { factsOf } from './execute.ts';
import type { RequestContext } from './request-context.ts';
import type { HttpServices } from './services.ts';

/** Records a finished request in the metrics and in one log line. */
export function observeRequest(
  req: Request,
  res: Response,
  correlationId: string,
  { log, metrics }: HttpServices,
): void {
  const startedAt = performance.now();
  const tell = () => {
    const requestContext: RequestContext | undefined = res.locals['requestContext'];
    metrics.served({
      operation: requestContext?.endpoint?.name ?? null,
      method: req.method,
      status: res.statusCode,
      seconds: (performance.now() - startedAt) / 1000,
    });
    if (!log.isLevelEnabled('info')) return;
    log.info(
      {
        ...(requestContext === undefined ? { correlationId } : factsOf(requestContext)),
        method: req.method,
        status: res.statusCode,
        durationMs: Math.round(performance.now() - startedAt),
        ...(res.writableFinished ? {} : { aborted: true }),
      },
      'request',
    );
  };
  const tellSafely = () => {
    try {
      tell();
    } catch (err) {
      log.error({ err, correlationId }, 'Failed to log a request');
    }
  };
  // The socket's close event runs outside the span of the request.
  res.once('close', isTracing ? context.bind(context.active(), tellSafely) : tellSafely);
}
