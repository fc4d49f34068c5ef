import { refund } from './budget.ts';
import type { Core, Prepared } from './core.ts';
import { type EventState, readEvents, type ServerEvent } from './event-stream.ts';
import { brokenOff } from './failure.ts';
import type { Scan } from './models.gen.ts';
import { newLog, perform } from './retry-loop.ts';
import type { Pieces } from './text-stream.ts';

/**
 * Follows a scan over several connections. A connection that ends before the scan is finished is resumed after the last
 * event, with the same retries as a call. `open` prepares a call.
 */
export async function* follow(
  core: Core,
  open: () => Prepared,
): AsyncGenerator<ServerEvent<Scan>, void, void> {
  const state: EventState = { id: '' };
  let log = newLog();
  let finished = false;
  for (;;) {
    const call = open();
    if (state.id) call.headers['last-event-id'] = state.id;
    const { data } = await perform<Pieces>(core, call, log);
    try {
      for await (const event of readEvents<Scan>(data, state)) {
        if (log.attempts.length) refund(core.credential.budget, log.spent);
        log = newLog();
        finished ||= isFinished(event.data);
        yield event;
        if (event.event === 'done') return;
      }
      throw new Error('Ended early');
    } catch (fault) {
      if (finished) return;
      const error = brokenOff(fault as Error, call.signal);
      log.failed = { error: Object.assign(error, { retryAfterMs: state.retry }), fault: error };
    }
  }
}

/** Whether the status of a scan is final. */
export function isFinished({ status }: Scan): boolean {
  return !/queued|running/.test(status);
}
