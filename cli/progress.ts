import { canRedraw, say, type Terminal } from './terminal.ts';

const BAR_WIDTH = 30;
const CLEAR_LINE = '\r\u001b[2K';

/** Draws a progress bar on a terminal, and nothing in a pipeline log. */
export class ProgressBar {
  readonly #terminal: Terminal;
  #drawn = '';

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** @param share between 0 and 1, or null if unknown */
  draw(share: number | null, label: string): void {
    if (!canRedraw(this.#terminal)) return;
    const whole = share === null ? label : `${bar(share)} ${Math.floor(share * 100)} %  ${label}`;
    const line = clipped(whole, this.#terminal);
    if (line === this.#drawn) return;
    this.#drawn = line;
    this.#terminal.messages.write(CLEAR_LINE + line);
  }

  /** Removes the bar. */
  end(): void {
    if (this.#drawn !== '') this.#terminal.messages.write(CLEAR_LINE);
    this.#drawn = '';
  }
}

/** Prints a line in place of a bar that may be drawn. The bar is drawn again with its next change. */
export function sayOverBar(terminal: Terminal, line: string): void {
  say(terminal, canRedraw(terminal) ? CLEAR_LINE + line : line);
}

/** Cuts a line to the width of the terminal: only the last row of one that wraps could be cleared. */
function clipped(line: string, { messages }: Terminal): string {
  let room = (messages.columns || Number.POSITIVE_INFINITY) - 1;
  let fits = '';
  for (const character of line) {
    // Other characters than those of ASCII may be as wide as two.
    room -= character <= '~' ? 1 : 2;
    if (room < 0) break;
    fits += character;
  }
  return fits;
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
}
