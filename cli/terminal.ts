import type { Readable, Writable } from 'node:stream';

/** The streams and environment of a command. Tests pass their own. */
export interface Terminal {
  readonly input: Readable;
  /** Only results, so that they can be piped. */
  readonly output: Writable;
  /** Progress, questions and errors. */
  readonly messages: Writable & { readonly columns?: number };
  /** Which of the streams are terminals. Each is asked for itself: `cspm findings > file` leaves two of them. */
  readonly isTerminal: Readonly<Record<'input' | 'output' | 'messages', boolean>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user interrupts the command. */
  readonly interrupted: AbortSignal;
}

/** Whether results are written in color: to a terminal, unless NO_COLOR is set (https://no-color.org). */
export function hasColours({ isTerminal, environment }: Terminal): boolean {
  return isTerminal.output && !isDumb(environment) && (environment['NO_COLOR'] ?? '') === '';
}

/** Whether a line of messages can be replaced. */
export function canRedraw({ isTerminal, environment }: Terminal): boolean {
  return isTerminal.messages && !isDumb(environment);
}

/** Whether the terminal prints escape sequences, as that of an editor does. */
function isDumb(environment: Terminal['environment']): boolean {
  return environment['TERM'] === 'dumb';
}

export function say(terminal: Terminal, line: string): void {
  terminal.messages.write(`${line}\n`);
}
