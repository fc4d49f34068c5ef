import { ApiError } from '@cspm/sdk';
import { describeOptions, parseOptions } from './arguments.ts';
import type { Command } from './command.ts';
import { findings } from './commands/findings.ts';
import { login } from './commands/login.ts';
import { mock } from './commands/mock.ts';
import { preflight } from './commands/preflight.ts';
import { scan } from './commands/scan.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { printable } from './table.ts';
import { say, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

// Each command runs with the values of its own options only; here all of them are held alike.
const COMMANDS = [scan, findings, preflight, login, mock] as unknown as readonly Command[];

/** Runs one command line. @param args without the program's name. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.output.write(overview());
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  const command = COMMANDS.find((known) => known.name === name);
  if (command === undefined) {
    say(terminal, `There is no command "${printable(name)}".\n\n${overview()}`);
    return EXIT.usage;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.output.write(help(command));
    return EXIT.ok;
  }
  try {
    const { values, positionals } = parseOptions(rest, command.options);
    const [surplus] = positionals;
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is not an option.`);
    return await command.run(values, terminal);
  } catch (error) {
    return refusal(error, command, terminal);
  }
}

function refusal(error: unknown, command: Command, terminal: Terminal): ExitCode {
  if (error instanceof UsageError) {
    say(terminal, `${printable(error.message)}\n\nUsage: ${command.usage}`);
    return EXIT.usage;
  }
  if (!(error instanceof ApiError)) throw error;
  const { problem, correlationId } = error;
  say(terminal, `${error.code}: ${printable(error.message)}`);
  for (const { path, message } of problem?.errors ?? []) {
    say(terminal, `  ${printable(path)}: ${printable(message)}`);
  }
  if (correlationId !== undefined) say(terminal, `  Correlation id: ${correlationId}`);
  return error.code === 'PREFLIGHT_BLOCKED' ? EXIT.incomplete : EXIT.service;
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length)) + 2;
  const rows = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`);
  return `Usage: cspm <command> [options]

${rows.join('\n')}

cspm <command> --help tells its options. Exit codes: 0 all well, 1 findings that --fail-on does not let
pass, 2 wrong usage or input, 3 a scan that did not start or complete, 4 refused or out of reach.
Credentials come from CSPM_API_KEY, or from cspm login; the service from --url or CSPM_URL.
`;
}

function help({ usage, summary, options }: Command): string {
  return `Usage: ${usage}\n\n${summary}\n\n${describeOptions(options)}\n`;
}
