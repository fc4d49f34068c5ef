import type { Clock } from '../src/clock.ts';
import type { Reply } from './server.ts';

/**
 * Calls that a client can make, named by the effect of a repetition. `read` and `check` change nothing (`check` is a
 * POST); `remove` is idempotent; `create` takes an Idempotency-Key; `command` must not be repeated.
 */
export type CallName = 'read' | 'check' | 'remove' | 'create' | 'command';

/** One endpoint of the client's service. */
export interface Route {
  /** For example `GET /scans/1`. */
  readonly at: string;
  /** The response when there is no failure. */
  readonly answer: Reply;
}

/** Optional abilities of clients. A case that needs one does not apply to clients without it. */
export type Ability =
  /** Knows the limits fixed by its contract. */
  | 'contract-limits'
  /** Has a time limit for one attempt. */
  | 'attempt-bound'
  /** Has a deadline for the whole call. */
  | 'deadline'
  | 'families'
  | 'hooks'
  | 'pacing-off'
  | 'problems'
  | 'session'
  /** Accepts an AbortSignal. */
  | 'signal'
  | 'step-up'
  /** Reads a session from a store before the first call. */
  | 'stored'
  /** Asks a function for the credential before the first call. */
  | 'supplied';

/** A client under test. */
export interface Subject {
  readonly name: string;
  readonly routes: Readonly<Partial<Record<CallName, Route>>>;
  readonly abilities: ReadonlySet<Ability>;
  /** Its clock and random numbers can be injected through `Setting.clock`. */
  readonly clocked?: true;
  /** The body of its service's errors. Default: a problem document or nothing. */
  errorBody?(status: number): unknown;
  /** The header that marks retries, if it sends one. */
  readonly attemptHeader?: string;
  /** A list of its service, in pages with these names. */
  readonly list?: {
    readonly at: string;
    pages(names: readonly (readonly string[])[]): readonly Reply[];
  };
  /** A streamed response of its service with these items. With `open`, the end is missing. */
  readonly stream?: { readonly at: string; reply(items: readonly string[], open: boolean): Reply };
  open(setting: Setting): Client;
  /** Describes the failure behind an error that a call rejected with. */
  explain(error: unknown): Failure;
}

/** The client that a case asks for. */
export interface Setting {
  readonly baseUrl: string;
  /** Credential of the caller. Every case has its own, so that no case uses another's retry budget. */
  readonly credential: string;
  /** Where the client gets the credential from. Default: it is given with the options. */
  readonly source?: 'stored' | 'supplied' | undefined;
  readonly clock: Clock;
  /** Total number of attempts. Default: the client's own. */
  readonly maxAttempts?: number;
  readonly deadlineMs?: number;
  readonly attemptMs?: number;
  readonly pacing?: 'off';
  /** Used instead of the credential. */
  readonly session?: SessionSetting;
  /** Returns a one-time code. */
  readonly onStepUp?: () => Promise<string>;
  readonly onEvent?: (event: Event) => void;
}

/** A token pair and a callback for new ones. */
export interface SessionSetting {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly onRefresh?: (tokens: { accessToken: string; refreshToken: string }) => Promise<void>;
}

/** An event passed to a hook. */
export interface Event {
  readonly what: 'request' | 'response' | 'retry';
  readonly attempt: number;
  readonly delayMs: number;
  readonly reason: string | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Idempotency-Key chosen by the caller. */
  readonly key?: string;
  /** Passed into the body by reference, so that the caller can change it later. */
  readonly names?: string[];
  readonly deadlineMs?: number;
}

/** A client that is ready to use. */
export interface Client {
  call(name: CallName, options?: CallOptions): Promise<unknown>;
  /** The same call, with details of its attempts. */
  detailed?(name: CallName): Promise<Details>;
  /** The names in a list. */
  list?(): AsyncIterable<string>;
  /** The first page of a list. */
  firstPage?(): Promise<readonly string[]>;
  /** The items of a streamed response. */
  stream?(options?: CallOptions): AsyncIterable<string>;
}

export interface Details {
  readonly status: number;
  readonly correlationId: string | undefined;
  readonly attempts: readonly AttemptTold[];
  readonly retryDelayMs: number;
}

export interface AttemptTold {
  readonly status: number | undefined;
  readonly failed: boolean;
  readonly delayMs: number;
}

/** The properties of an error; undefined where it has none. */
export interface Failure {
  /** Name of the error class in the specification. */
  readonly family?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
  readonly correlationId?: string | undefined;
  readonly attempts?: readonly AttemptTold[] | undefined;
  readonly limits?: readonly { readonly name: string; readonly remaining: number }[] | undefined;
  /** Code of the problem document. */
  readonly problemCode?: string | undefined;
}
