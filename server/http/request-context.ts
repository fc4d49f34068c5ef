import type { LimitName } from '@cspm/contract';
import type { Request, Response } from 'express';
import type { Origin } from '../platform/audit-writer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Principal } from '../platform/principal.ts';
import type { ProblemError } from '../platform/problem.ts';
import type { Endpoint } from './match.ts';

/** A request that takes longer is authorized again before it has an effect. */
export const AUTHORIZED_FOR_MS = 1_000;

/** A request in the pipeline, with what the stages have found so far. */
export interface RequestContext {
  readonly req: Request;
  readonly res: Response;
  readonly correlationId: string;
  /** How many requests a limit leaves to the client in this window; null if unknown. */
  remaining(limit: LimitName): Promise<number | null>;
  /**
   * Authenticates and authorizes the request again, after something that took long.
   * @throws {ProblemError} the refusal of a request that is sent now.
   */
  reauthorize(): Promise<void>;
  /** Answers before the body has arrived, and ends the body. */
  giveUp(problem: ProblemError): void;
  /** When the credential was accepted, in milliseconds of `performance.now()`; 0 before. */
  authorizedAt: number;
  /** Null until matched, and for a path or method that is not served. */
  endpoint: Endpoint | null;
  /** Whether the refresh token travels in the session cookie; false until the endpoint is known. */
  cookieSession: boolean;
  /** Whether a person opens the operation as a page and reads a refusal; false until matched. */
  navigation: boolean;
  /** The requested path; null until its parameters are validated, so it holds only names and ids of the contract. */
  path: string | null;
  /** Null until authenticated, and on public endpoints. */
  principal: Principal | null;
  /** Null until an audit row is needed. */
  origin: Origin | null;
}

/** Where the request came from, with the current time. */
export function originOf({ req, correlationId }: RequestContext, clock: Clock): Origin {
  return { ip: req.ip ?? '', correlationId, at: clock.now() };
}
