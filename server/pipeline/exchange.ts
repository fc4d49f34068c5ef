import type { LimitName } from '@cspm/contract';
import type { Request, Response } from 'express';
import type { Clock } from '../clock.ts';
import type { Principal } from '../identity/principal.ts';
import type { Origin } from './audit.ts';
import type { Endpoint } from './match.ts';

/** A request on its way through the pipeline, with what the stages have found out so far. */
export interface Exchange {
  readonly req: Request;
  readonly res: Response;
  readonly correlationId: string;
  /** How many requests a limit leaves to the client in this window; null where that is not known. */
  remaining(limit: LimitName): Promise<number | null>;
  /** Null until matched, and for a path or method that is not served. */
  endpoint: Endpoint | null;
  /** As it was asked for; null until it is known to hold nothing but names and ids as the contract has them. */
  path: string | null;
  /** Null until authenticated, and on public endpoints. */
  principal: Principal | null;
  /** Null until something is to be written down about it. */
  origin: Origin | null;
}

/** Where the request came from, as of now. */
export function originOf({ req, correlationId }: Exchange, clock: Clock): Origin {
  return { ip: req.ip ?? '', correlationId, at: clock.now() };
}
