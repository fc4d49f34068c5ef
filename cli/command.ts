import type { Options, Values } from './arguments.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** A command of the program, such as `cspm scan` or `cspm inventory pull`. */
export interface Command<O extends Options = Options> {
  readonly name: string;
  /** The usage line: `cspm scan --project <name>`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: O;
  /** The greatest number of arguments that are no options. Default: 0. */
  readonly maxArguments?: number;
  run(values: Values<O>, terminal: Terminal, args: readonly string[]): Promise<ExitCode>;
}

/** Declares a command. The types of its values follow from its options. */
export function command<const O extends Options>(declared: Command<O>): Command<O> {
  return declared;
}
