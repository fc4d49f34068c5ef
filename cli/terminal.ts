import type { Readable, Writable } from 'node:stream';

/** The streams and environment of a command. Tests pass their own. */
export interface Terminal {
  readonly input: Readable;
  /** Only results, so that they can be piped. */
  readonly output: Writable;
  /** Progress, questions and errors. */
  readonly messages: Writable;
  /** Which of the streams are terminals. Each is asked for itself: `cspm findings > file` leaves two of them. */
  readonly isTerminal: Readonly<Record<'input' | 'output' | 'messages', boolean>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user interrupts the command. */
  readonly interrupted: AbortSignal;
}

/** Whether results are written in color: to a terminal, unless NO_COLOR is set (https://no-color.org). */
export function hasColours({ isTerminal, environment }: Terminal): boolean {
  return isTerminal.output && (environment['NO_COLOR'] ?? '') === '';
}

export function say(terminal: Terminal, line: string): void {
  terminal.messages.write(`${line}\n`);
}
