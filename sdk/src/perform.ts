import { attempt } from './attempt.ts';
import { RETRY_COST, refund, spend } from './budget.ts';
import type { WithResponse } from './call.ts';
import type { Core, Outcome, Prepared, Success } from './core.ts';
import type { Attempt } from './errors.ts';
import { correlationId, stopped } from './failure.ts';
import type { RequestEvent } from './options.ts';
import { retryDelayMs, retryKind } from './retry.ts';

/** Gets a call through: as many attempts as the contract, the budget and the deadline allow, and one answer. */
export async function perform<T>(core: Core, call: Prepared): Promise<WithResponse<T>> {
  const { clock, hooks, credential } = core;
  const { operation, url, retry, signal } = call;
  const budget = retry.budget ? core.budget() : { tokens: Number.POSITIVE_INFINITY };
  const attempts: Attempt[] = [];
  let event: RequestEvent = {
    operation: call.name,
    method: operation.method,
    url,
    attempt: 1,
    delayMs: 0,
    reason: undefined,
  };
  let waitingSince = call.startedAt;
  let hold = true;
  let retries = 0;
  let spent = 0;
  let renewed = false;

  for (;;) {
    const leave = await core.pacing?.enter(call, hold, attempts);
    const sentAt = clock.now();
    const delayMs = Math.round(sentAt - waitingSince);
    let outcome: Outcome | undefined;
    let token: string | undefined;
    try {
      // Sleeps and holds end early on abort; here is where the call ends then.
      if (signal?.aborted) throw stopped(signal.reason, attempts);
      const headers = call.headers();
      if (attempts.length > 0) headers.set('x-retry-attempt', `${attempts.length}`);
      token = operation.public ? undefined : credential.sign(headers);
      event = { ...event, delayMs };
      hooks.onRequest?.(event);
      outcome = await attempt(core, call, headers, attempts);
    } finally {
      leave?.(outcome);
    }
    const record = { status: outcome.response?.status, error: outcome.fault, delayMs };
    attempts.push(record);
    waitingSince = clock.now();
    hooks.onResponse?.({ ...event, ...record, durationMs: waitingSince - sentAt });
    if (!outcome.error) {
      refund(budget, spent);
      return summary(outcome, attempts);
    }

    const { error, response, unsent = false } = outcome;
    if (signal?.aborted || call.payload?.replayable(unsent) === false) throw error;
    event = { ...event, attempt: attempts.length + 1, delayMs: 0, reason: error.code };
    if (token && !renewed && isDeadToken(error.code)) {
      if (!(await credential.renew(token, call, attempts))) throw error;
      renewed = true;
      hold = true;
      hooks.onRetry?.(event);
      continue;
    }
    const kind = retryKind(error, unsent, operation.idempotency !== 'none');
    const waitMs = retryDelayMs(error, retries, retry, clock.random);
    retries += 1;
    if (!kind || retries >= retry.maxAttempts) throw error;
    if (clock.now() + waitMs >= call.lastRetryAt) throw error;
    if (!spend(budget, RETRY_COST[kind])) throw error;
    spent += RETRY_COST[kind];
    // Where the server named its time, pacing adds nothing to it.
    hold = !response?.headers.has('retry-after');
    hooks.onRetry?.({ ...event, delayMs: waitMs });
    await clock.sleep(waitMs, signal);
  }
}

function summary<T>({ data, response }: Success, attempts: readonly Attempt[]): WithResponse<T> {
  return {
    data: data as T,
    response,
    correlationId: correlationId(response),
    attempts,
    retryDelayMs: attempts.slice(1).reduce((sum, { delayMs }) => sum + delayMs, 0),
  };
}

/** A 401 of another code, such as a wrong one-time code, is no fault of the token. */
function isDeadToken(code: string): boolean {
  return code === 'UNAUTHORIZED' || code === 'HTTP_401';
}
