import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Passes the output on while the program runs. */
  readonly show?: boolean;
  /** After which the program is killed. */
  readonly timeoutMs?: number;
}

/** Longer than the slowest build on a busy machine. */
const DEFAULT_TIMEOUT_MS = 1_800_000;

/**
 * Runs a program to its end.
 * @returns its standard output
 * @throws {Error} with everything that it printed when it fails
 */
export async function run({
  command,
  args,
  cwd,
  environment,
  show,
  timeoutMs,
}: Command): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs ?? DEFAULT_TIMEOUT_MS,
  });
  let output = '';
  let everything = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    everything += text;
    if (show === true) process.stdout.write(text);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    everything += text;
    if (show === true) process.stderr.write(text);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}\n${everything}`);
  return output;
}
