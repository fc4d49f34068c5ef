import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Whether the kernel reports the memory of a process and can reset its peak (Linux). */
export const MEMORY_IS_MEASURED = existsSync('/proc/self/clear_refs');

/** The memory of a process in bytes: the current value, and the peak since `forgetPeak`. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => {
    const [, kib] = new RegExp(`${name}:\\s+(\\d+) kB`).exec(status) ?? [];
    return Number(kib) * 1024;
  };
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

/** Resets the peak to the current value. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
