import type { Readable, Writable } from 'node:stream';

/** The streams and environment of a command. Tests pass their own. */
export interface Terminal {
  readonly input: Readable;
  /** Only results, so that they can be piped. */
  readonly output: Writable;
  /** Progress, questions and errors. */
  readonly messages: Writable;
  /** Whether `messages` is a terminal. Progress bars need one. */
  readonly isInteractive: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user interrupts the command. */
  readonly interrupted: AbortSignal;
}

export function say(terminal: Terminal, line: string): void {
  terminal.messages.write(`${line}\n`);
}
