import { attempt } from './attempt.ts';
import { refund } from './budget.ts';
import type { WithResponse } from './call.ts';
import type { Core, Failure, Outcome, Prepared } from './core.ts';
import { ApiError, type Attempt } from './errors.ts';
import { correlationId, stopped } from './failure.ts';
import { retryCost, retryDelayMs, retrySettings } from './retry.ts';

/** How a call has gone until now. */
export interface Log {
  readonly attempts: Attempt[];
  /** Attempts that are counted and have failed. */
  failures: number;
  /** What retries have taken from the budget. */
  spent: number;
  /** What the last attempt came to, or what a stream broke off with: the call goes on from there. */
  failed?: Failure;
}

export function newLog(): Log {
  return { attempts: [], failures: 0, spent: 0 };
}

/** Gets a call through: as many attempts as the contract, the budget and the deadline allow, and one answer. */
export function perform<T>(core: Core, call: Prepared, log = newLog()): Promise<WithResponse<T>> {
  return persist<T>(core, call, log).catch((error: unknown) => {
    call.payload?.close?.();
    throw withAttempts(error, log.attempts);
  });
}

/** An error of a call with the attempts that were made for it. */
export function withAttempts(error: unknown, attempts: readonly Attempt[]): unknown {
  return error instanceof ApiError ? Object.assign(error, { attempts }) : error;
}

async function persist<T>(core: Core, call: Prepared, log: Log): Promise<WithResponse<T>> {
  const { clock, hooks = {}, credential } = core;
  const { operation, signal } = call;
  const { name, method, traits } = operation;
  const { attempts } = log;
  const renewed: unknown[] = [];
  let token: string | undefined;
  let waitingSince = call.startedAt;
  let retryDelay = 0;
  let hold = true;
  const event = (delayMs: number) => {
    const { url } = call;
    return {
      operation: name,
      method,
      url,
      attempt: attempts.length + 1,
      delayMs,
      reason: log.failed?.error.code,
    };
  };

  for (;;) {
    if (log.failed) {
      const { error, response, unsent } = log.failed;
      if (signal?.aborted || call.payload?.replayable?.(unsent) === false) throw error;
      hold = true;
      if (
        token &&
        !renewed.includes(error.status) &&
        (await credential.renew?.(token, call, error))
      ) {
        renewed.push(error.status);
        hooks.onRetry?.(event(0));
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
        // Where the server named its time, pacing adds nothing to it.
        hold = !response?.headers.has('retry-after');
        hooks.onRetry?.(event(waitMs));
        await clock.sleep(waitMs, signal);
      }
    }
    const leave = await core.pacing?.(call, hold);
    const sentAt = clock.now();
    const delayMs = Math.round(sentAt - waitingSince);
    const { headers } = call;
    let outcome: Outcome | undefined;
    try {
      // Sleeps and holds end early on abort; here is where the call ends then.
      if (signal?.aborted) throw stopped(signal.reason);
      if (attempts.length) {
        retryDelay += delayMs;
        headers['x-retry-attempt'] = `${attempts.length}`;
      }
      if (!traits.includes('p')) token = credential.sign(headers);
      hooks.onRequest?.(event(delayMs));
      outcome = await attempt(core, call, headers);
    } finally {
      leave?.(outcome);
    }
    const { error, response, fault } = outcome;
    const record = fault ? { error: fault, delayMs } : { status: response.status, delayMs };
    waitingSince = clock.now();
    hooks.onResponse?.({ ...event(delayMs), ...record, durationMs: waitingSince - sentAt });
    attempts.push(record);
    if (!error) {
      const data = outcome.data as T;
      // Whether a stream of events was worth it is seen when one comes.
      if (!traits.includes('e')) refund(credential.budget, log.spent);
      return {
        data,
        response,
        correlationId: correlationId(response),
        attempts,
        retryDelayMs: retryDelay,
      };
    }
    log.failed = outcome;
  }
}
