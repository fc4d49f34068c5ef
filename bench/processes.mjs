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
  return (statOf(pid, 14) + statOf(pid, 15)) / TICKS_PER_SECOND;
}

/** A field of /proc/<pid>/stat that is a number. The second is the program's name, which may contain anything. */
function statOf(pid, field) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field - 3]);
}

/**
 * Seconds of CPU of a process and all its descendants, with those that have ended.
 * @param {number} pid
 * @returns {number}
 */
export function treeCpuSeconds(pid) {
  try {
    // cutime and cstime, of children that have ended.
    const ended = (statOf(pid, 16) + statOf(pid, 17)) / TICKS_PER_SECOND;
    return childrenOf(pid).reduce(
      (sum, child) => sum + treeCpuSeconds(child),
      cpuSeconds(pid) + ended,
    );
  } catch {
    // The process has ended meanwhile.
    return 0;
  }
}

/** The parent of a process. @param {number} pid */
export function parentOf(pid) {
  return statOf(pid, 4);
}

function childrenOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

/**
 * Bytes of memory that a process and its descendants hold, without any Postgres among them. Pages of files, such as node's
 * program, are shared by processes that run the same file, so those of the process with most of them count once.
 * @param {number} pid
 */
export function residentBytes(pid) {
  const { own, files } = memoryOf(pid);
  return own + files;
}

/** @param {number} pid @returns {{ own: number, files: number }} */
function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    if (/^Name:\s+postgres$/m.test(status)) return { own: 0, files: 0 };
    const bytes = (name) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
    return childrenOf(pid)
      .map(memoryOf)
      .reduce(
        (sum, { own, files }) => ({ own: sum.own + own, files: Math.max(sum.files, files) }),
        {
          own: bytes('RssAnon') + bytes('RssShmem'),
          files: bytes('RssFile'),
        },
      );
  } catch {
    // The process has ended meanwhile.
    return { own: 0, files: 0 };
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
