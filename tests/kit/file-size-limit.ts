import { execFileSync } from 'node:child_process';

/** Whether this process can limit its own file size, so that the system really refuses further writes. */
export function canLimitFileSize(): boolean {
  try {
    execFileSync('prlimit', ['--fsize', '--pid', String(process.pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** From now on, files of this process cannot grow larger (setrlimit(2), RLIMIT_FSIZE), as on a full disk. */
export function limitFileSize(bytes: number): void {
  set(`${bytes}:`);
}

/** The default: unlimited. */
export function unlimitFileSize(): void {
  const hard = execFileSync('prlimit', [
    '--fsize',
    '--pid',
    String(process.pid),
    '-o',
    'HARD',
    '--noheadings',
    '--raw',
  ]);
  set(`${hard.toString().trim()}:`);
}

/** Only the soft limit, which a process may raise again. */
function set(bound: string): void {
  execFileSync('prlimit', [`--fsize=${bound}`, '--pid', String(process.pid)]);
}
