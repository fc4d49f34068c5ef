import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/**
 * The deadline of something that takes at most `quietMs` on a quiet machine: multiplied by the runnable tasks per core,
 * so that it also holds on a busy one. It stays below `hangMs`, so that no load lets a request pass that hangs that long.
 */
export function deadlineMs(quietMs: number, hangMs: number): number {
  const tasks = Math.max(loadavg()[0] ?? 0, runnableTasks());
  return Math.min(quietMs * Math.max(1, tasks / availableParallelism()), hangMs * 0.9);
}

/** The number of currently runnable tasks; the load average lags a new load by a minute. 0: not Linux. */
function runnableTasks(): number {
  try {
    return Number(/ (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
