import { readFile, writeFile } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** The kernel lets all users without CAP_SYS_ADMIN together change one session in this time. */
const BETWEEN_CHANGES_MS = 100;
const ATTEMPTS = 300;

let changed: Promise<void> = Promise.resolve();

/** Sets the nice value of a process to that of this one plus `niceness`. On Linux this changes the first thread only. */
export function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, lowered(niceness));
  } catch {
    // The process has ended, or the system does not allow it. It works with the usual priority too.
  }
}

/** Whether the system shares processor time among sessions. */
export const SHARES_AMONG_SESSIONS = process.platform === 'linux';

/**
 * Lowers the share of processor time of the whole session of a process, where Linux shares it among sessions before it
 * looks at nice values of processes (sched(7), "The autogroup feature").
 */
export function lowerSession(pid: number, niceness: number): Promise<void> {
  if (!SHARES_AMONG_SESSIONS) return Promise.resolve();
  // One after the other, because of the limit of the kernel.
  changed = changed.then(() => changeSession(pid, lowered(niceness)));
  return changed;
}

function lowered(niceness: number): number {
  return Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW);
}

async function changeSession(pid: number, nice: number): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await writeFile(`/proc/${pid}/autogroup`, String(nice));
      return;
    } catch (error) {
      // No such process, no such feature, or not allowed.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
    // A random part, so that processes do not try at the same moments for ever.
    await delay(BETWEEN_CHANGES_MS * (1 + Math.random()), undefined, { ref: false });
  }
}

/** The arguments of a process of this machine as `ps` shows them; null: there is no such process. */
export async function commandOf(pid: number): Promise<string | null> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
}
