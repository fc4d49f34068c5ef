import type { Request, Response } from 'express';
import type { Services } from '../services.ts';
import type { Exchange } from './exchange.ts';
import { factsOf } from './execute.ts';

/** Tells of a request when it is over: in the metrics, and in one line of the log. */
export function observeRequest(req: Request, res: Response, { log, metrics }: Services): void {
  const startedAt = performance.now();
  res.once('close', () => {
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
  });
}
