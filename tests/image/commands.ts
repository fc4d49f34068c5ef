import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a program and returns its standard output.
 * @throws {Error} with the end of its output when it fails.
 */
export async function command(
  program: string,
  args: readonly string[],
  { cwd, env }: CommandOptions = {},
): Promise<string> {
  try {
    const { stdout } = await run(program, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(
      `${program} ${args.slice(0, 3).join(' ')} failed:\n${`${stdout}${stderr}`.slice(-4_000)}`,
    );
  }
}

/** Whether the program ends with code 0. */
export async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return command(program, args).then(
    () => true,
    () => false,
  );
}
