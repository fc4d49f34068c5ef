import type { Request, Response } from 'express';
import type { Services } from '../services.ts';
import type { Exchange } from './exchange.ts';
import { factsOf } from './execute.ts';

/** One line a request, when it is over. */
export function logRequests(req: Request, res: Response, services: Services): void {
  if (!services.log.isLevelEnabled('info')) return;
  const startedAt = performance.now();
  res.once('close', () => {
    const exchange: Exchange | undefined = res.locals['exchange'];
    services.log.info(
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
