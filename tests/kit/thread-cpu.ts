import { readFileSync } from 'node:fs';

const MS_PER_TICK = 10;

/**
 * The CPU time of the calling thread so far, in ms, with a resolution of 10 ms. Other threads and processes do not
 * count, so the value is independent of the machine's load. On systems other than Linux: wall-clock time.
 */
export function threadCpuMs(): number {
  try {
    const stat = readFileSync('/proc/thread-self/stat', 'latin1');
    // After the name, which may contain anything: user time is the 12th field, system time the 13th (proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return performance.now();
  }
}
