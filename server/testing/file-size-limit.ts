import { execFileSync } from 'node:child_process';

/** Whether the largest size of files of this process can be set: a real refusal by the system to write any further. */
export function canLimitFileSize(): boolean {
  try {
    execFileSync('prlimit', ['--fsize', '--pid', String(process.pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** From now on files of this process grow no larger (setrlimit(2), RLIMIT_FSIZE), as on a disk that is full. */
export function limitFileSize(bytes: number): void {
  set(`${bytes}:`);
}

/** The bound that nobody set. */
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

/** The soft bound alone, which a process may raise again. */
function set(bound: string): void {
  execFileSync('prlimit', [`--fsize=${bound}`, '--pid', String(process.pid)]);
}
