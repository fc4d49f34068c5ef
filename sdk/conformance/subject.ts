import type { Clock } from '../src/clock.ts';
import type { Reply } from './server.ts';

/**
 * What a client can be asked for, by what a repetition does on the server. `read` and `check` change nothing (`check`
 * is a POST); `remove` has the effect of one; `create` takes an Idempotency-Key; `command` must not be repeated.
 */
export type CallName = 'read' | 'check' | 'remove' | 'create' | 'command';

/** One endpoint of the service that a client was made for. */
export interface Route {
  /** Such as `GET /scans/1`. */
  readonly at: string;
  /** What it answers when all is well. */
  readonly answer: Reply;
}

/** What some clients do and others do not promise. A case that needs one does not apply to the others. */
export type Ability =
  /** Reads the limits that its contract fixes. */
  | 'contract-limits'
  /** Takes a bound for one attempt. */
  | 'attempt-bound'
  /** Takes a deadline over the whole call. */
  | 'deadline'
  | 'families'
  | 'hooks'
  | 'pacing-off'
  | 'problems'
  | 'session'
  /** Takes an AbortSignal. */
  | 'signal'
  | 'step-up';

/** A client under examination, whoever made it. */
export interface Subject {
  readonly name: string;
  readonly routes: Readonly<Partial<Record<CallName, Route>>>;
  readonly abilities: ReadonlySet<Ability>;
  /** Time and chance can be put in its hands, by `Setting.clock`. */
  readonly clocked?: true;
  /** What its service says of a failure; left out: a problem document, or nothing. */
  errorBody?(status: number): unknown;
  /** In which header it tells retries from first attempts; left out: in none. */
  readonly attemptHeader?: string;
  /** A list of its service, in pages of these names. */
  readonly list?: {
    readonly at: string;
    pages(names: readonly (readonly string[])[]): readonly Reply[];
  };
  /** An answer of its service that streams items; left open, it lacks what ends it. */
  readonly stream?: { readonly at: string; reply(items: readonly string[], open: boolean): Reply };
  open(setting: Setting): Client;
  /** What an error that a call rejected with tells of the failure. */
  explain(error: unknown): Failure;
}

/** How a case wants its client. */
export interface Setting {
  readonly baseUrl: string;
  /** Names who calls. No two cases share one, so none finds a budget that another has spent. */
  readonly credential: string;
  readonly clock: Clock;
  /** Attempts in all; left out: as many as the client makes of itself. */
  readonly maxAttempts?: number;
  readonly deadlineMs?: number;
  readonly attemptMs?: number;
  readonly pacing?: 'off';
  /** Takes the place of the credential. */
  readonly session?: SessionSetting;
  /** Answers with a one-time code. */
  readonly onStepUp?: () => Promise<string>;
  readonly onEvent?: (event: Event) => void;
}

/** A pair of tokens, and who wants to know of a new one. */
export interface SessionSetting {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly onRefresh?: (tokens: { accessToken: string; refreshToken: string }) => Promise<void>;
}

/** What a hook was told. */
export interface Event {
  readonly what: 'request' | 'response' | 'retry';
  readonly attempt: number;
  readonly delayMs: number;
  readonly reason: string | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** The Idempotency-Key of the caller. */
  readonly key?: string;
  /** Goes into the body as it is, so that the caller can still change it. */
  readonly names?: string[];
  readonly deadlineMs?: number;
}

/** A client, made and ready. */
export interface Client {
  call(name: CallName, options?: CallOptions): Promise<unknown>;
  /** The same call, with how it went. */
  detailed?(name: CallName): Promise<Details>;
  /** A list, by the names in it. */
  list?(): AsyncIterable<string>;
  /** The first page of a list. */
  firstPage?(): Promise<readonly string[]>;
  /** The items of a streamed answer. */
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

/** What can be read off an error; undefined: it does not say. */
export interface Failure {
  /** The class, by its name in the specification. */
  readonly family?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
  readonly correlationId?: string | undefined;
  readonly attempts?: readonly AttemptTold[] | undefined;
  readonly limits?: readonly { readonly name: string; readonly remaining: number }[] | undefined;
  /** The code in the problem document. */
  readonly problemCode?: string | undefined;
}
