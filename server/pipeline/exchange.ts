import type { Request, Response } from 'express';
import type { Principal } from '../identity/principal.ts';
import type { Endpoint } from './match.ts';

/** A request on its way through the pipeline, with what the stages have found out so far. */
export interface Exchange {
  readonly req: Request;
  readonly res: Response;
  readonly correlationId: string;
  /** Null until matched, and for a path or method that is not served. */
  endpoint: Endpoint | null;
  /** Null until authenticated, and on public endpoints. */
  principal: Principal | null;
}
