import type { Options, Values } from './arguments.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** One word of the command line: `cspm scan`. */
export interface Command<O extends Options = Options> {
  readonly name: string;
  /** How it is called: `cspm scan --project <name>`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: O;
  run(values: Values<O>, terminal: Terminal): Promise<ExitCode>;
}

/** Declares a command, so that its options type what it is run with. */
export function command<const O extends Options>(declared: Command<O>): Command<O> {
  return declared;
}
