// Resource usage of a process, from /proc on Linux.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** The unit of `utime` and `stime`: USER_HZ, which is 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/**
 * Seconds of CPU, in all threads, that a process has used so far.
 * @param {number} pid
 */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name, which may contain anything; the fields after it are numbered from 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[14 - 3]) + Number(fields[15 - 3])) / TICKS_PER_SECOND;
}

/**
 * Seconds of CPU of a process and all its descendants, with those that have ended.
 * @param {number} pid
 * @returns {number}
 */
export function treeCpuSeconds(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // utime, stime and, of children that have ended, cutime and cstime.
    const ticks = [14, 15, 16, 17].reduce((sum, field) => sum + Number(fields[field - 3]), 0);
    return childrenOf(pid).reduce(
      (sum, child) => sum + treeCpuSeconds(child),
      ticks / TICKS_PER_SECOND,
    );
  } catch {
    // The process has ended meanwhile.
    return 0;
  }
}

/** The parent of a process. @param {number} pid */
export function parentOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function childrenOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

/**
 * Bytes of memory that a process and its descendants hold, without any Postgres among them.
 * @param {number} pid
 */
export function residentBytes(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    if (/^Name:\s+postgres$/m.test(status)) return 0;
    const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
    return childrenOf(pid).reduce((sum, child) => sum + residentBytes(child), own);
  } catch {
    // The process has ended meanwhile.
    return 0;
  }
}

/**
 * Watches the memory of a process and its descendants.
 * @param {number} pid
 * @returns {{ stop(): number }} `stop` gives the peak, in bytes
 */
export function watchMemory(pid) {
  let peak = residentBytes(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.max(peak, residentBytes(pid));
    },
  };
}

/**
 * Runs one of the programs in this folder in a separate process with a fresh heap.
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {Promise<any>} the JSON that it prints
 */
export async function runApart(program, ...args) {
  const path = new URL(program, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with code ${code}`);
  return JSON.parse(output);
}
