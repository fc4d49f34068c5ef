import type { Readable, Writable } from 'node:stream';

/** Where a command reads and writes, so that it can be run by a test as by a shell. */
export interface Terminal {
  readonly input: Readable;
  /** Results alone, so that they can be piped. */
  readonly output: Writable;
  /** Progress, questions and errors. */
  readonly messages: Writable;
  /** Whether somebody is watching `messages`: progress is drawn in place then. */
  readonly isInteractive: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ends a wait when the user interrupts it. */
  readonly interrupted: AbortSignal;
}

export function say(terminal: Terminal, line: string): void {
  terminal.messages.write(`${line}\n`);
}
