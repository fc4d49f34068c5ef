import { attempt } from './attempt.ts';
import { refund } from './budget.ts';
import type { WithResponse } from './call.ts';
import type { Core, Failure, Outcome, Prepared } from './core.ts';
import { ApiError, type Attempt } from './errors.ts';
import { correlationId, stopped } from './failure.ts';
import type { Hooks, RequestEvent, ResponseEvent } from './options.ts';
import { retryCost, retryDelayMs, retrySettings } from './retry.ts';

/** The progress of a call. */
export interface Log {
  readonly attempts: Attempt[];
  /** Failed attempts that count. */
  failures: number;
  /** Tokens that retries have taken from the budget. */
  spent: number;
  /** The failure of the last attempt or stream, from which the call continues. */
  failed?: Failure;
}

export function newLog(): Log {
  return { attempts: [], failures: 0, spent: 0 };
}

/** Makes attempts until one succeeds or until contract, budget or deadline forbid another. */
export function perform<T>(core: Core, call: Prepared, log = newLog()): Promise<WithResponse<T>> {
  return persist<T>(core, call, log).catch((error: unknown) => {
    call.payload?.close?.(error);
    throw failed(call, error, log.attempts);
  });
}

/** Adds the request and the attempts of a call to its error. An error of the renewal of a token has its own. */
export function failed(
  { operation: { name, method }, url }: Prepared,
  error: unknown,
  attempts: readonly Attempt[],
): unknown {
  return error instanceof ApiError && !error.operation
    ? Object.assign(error, { operation: name, method, url: redacted(url), attempts })
    : error;
}

/** A URL without the values of its query. */
function redacted(url: string): string {
  return url.replace(/=[^&]*/g, '=');
}

async function persist<T>(core: Core, call: Prepared, log: Log): Promise<WithResponse<T>> {
  const { clock, hooks, logger, credential } = core;
  const { operation, signal, url } = call;
  const { name, method, traits } = operation;
  const { attempts } = log;
  const renewed: unknown[] = [];
  let token: string | undefined;
  let waitingSince = call.begunAt;
  let retryDelay = 0;
  const event = (delayMs: number) => ({
    operation: name,
    method,
    url,
    attempt: attempts.length + 1,
    delayMs,
    reason: log.failed?.error.code,
  });

  const tell = (kind: keyof Hooks, event: RequestEvent | ResponseEvent) => {
    hooks?.[kind]?.(event as ResponseEvent);
    logger?.[kind === 'onRetry' ? 'warn' : 'debug'](
      { ...event, url: redacted(url) },
      `${name}: ${kind.slice(2).toLowerCase()}`,
    );
  };

  for (;;) {
    let hold = true;
    if (log.failed) {
      const { error, response, unsent } = log.failed;
      if (signal?.aborted) throw error;
      const isRenewed =
        token && !renewed.includes(error.status) && (await credential.renew?.(token, call, error));
      // The token is renewed for later calls even if the payload cannot be sent again.
      if (call.payload?.consumed?.(unsent)) throw error;
      if (isRenewed) {
        renewed.push(error.status);
        tell('onRetry', event(0));
      } else {
        const retry = retrySettings(core.retry, call.retry);
        const budget = retry.budget ? credential.budget : { tokens: Infinity };
        const cost = retryCost(error, unsent, traits);
        const waitMs = retryDelayMs(error, log.failures, retry, clock.random);
        log.failures += 1;
        const isOver = log.failures >= retry.maxAttempts || clock.now() + waitMs >= call.deadline;
        if (!cost || isOver || budget.tokens < cost) throw error;
        budget.tokens -= cost;
        if (retry.budget) log.spent += cost;
        // When the server named a time, pacing adds nothing.
        hold = !response?.headers.has('retry-after');
        tell('onRetry', event(waitMs));
        await clock.sleep(waitMs, signal);
      }
    }
    if (!traits.anonymous) await credential.loaded?.(call);
    const leave = await core.pacing?.(call, hold);
    const sentAt = clock.now();
    const delayMs = Math.round(sentAt - waitingSince);
    const { headers } = call;
    let outcome: Outcome | undefined;
    try {
      // Sleeps end early on abort, so end the call here.
      if (signal?.aborted) throw stopped(signal.reason);
      if (attempts.length) {
        retryDelay += delayMs;
        headers['x-retry-attempt'] = `${attempts.length}`;
      }
      if (!traits.anonymous) token = credential.sign(headers);
      tell('onRequest', event(delayMs));
      outcome = await attempt(core, call, headers);
    } finally {
      leave?.(outcome);
    }
    const { error, response, fault } = outcome;
    const record = fault ? { error: fault, delayMs } : { status: response.status, delayMs };
    waitingSince = clock.now();
    tell('onResponse', {
      ...event(delayMs),
      ...record,
      correlationId: response && correlationId(response),
      durationMs: waitingSince - sentAt,
    });
    attempts.push(record);
    if (!error) {
      // A stream of events returns its budget only when an event arrives.
      if (!traits.followed) refund(credential.budget, log.spent);
      return {
        data: outcome.data as T,
        response,
        correlationId: correlationId(response),
        attempts,
        retryDelayMs: retryDelay,
      };
    }
    log.failed = outcome;
  }
}
