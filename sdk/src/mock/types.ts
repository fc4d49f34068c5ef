import type { MockOperation } from './document.ts';

/** What a mock knows of its tenant. */
export interface MockServiceOptions {
  /** Requests per minute and client over all operations; 60 by default. */
  readonly rateLimit?: number | undefined;
  /** Lifetime of access tokens; 900 by default. A short one tests token refresh. */
  readonly accessSeconds?: number | undefined;
  /** How long a scan takes; 5 by default. */
  readonly scanSeconds?: number | undefined;
  /** The licensed features of the tenant; none by default. */
  readonly features?: readonly string[] | undefined;
  /** The time in milliseconds, for fake clocks. */
  readonly now?: (() => number) | undefined;
  /** The answer to `GET /openapi.json`. */
  readonly document?: object | undefined;
}

/** Reads and checks what a request consists of. Each method throws a problem for what it refuses. */
export interface MockInput {
  query(operation: MockOperation, search: URLSearchParams): Readonly<Record<string, unknown>>;
  body(operation: MockOperation, value: unknown): void;
  matchesPath(operation: MockOperation, params: Readonly<Record<string, string>>): boolean;
}
