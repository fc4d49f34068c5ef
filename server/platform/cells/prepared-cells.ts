import type { Cell } from './cell-config.ts';
import { prepareCells, reachableCells } from './prepare.ts';

const AGAIN_MS = 2_000;

interface PreparedCellsOptions {
  /** The owner's URL of the directory database. */
  readonly ownerUrl: string;
  readonly cells: readonly Cell[];
  /** Receives a line for the operator. */
  readonly say: (line: string) => void;
}

/**
 * Which cells have the tables and guards of this release. A cell that does not answer at the start is prepared when it
 * does: until then its tenants are not served, and all others are.
 */
export class PreparedCells {
  readonly #options: PreparedCellsOptions;
  readonly #prepared = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  #timer: NodeJS.Timeout | null = null;
  #round: Promise<void> | null = null;
  #closed = false;
  #lastFault = '';

  private constructor(options: PreparedCellsOptions) {
    this.#options = options;
  }

  /** @throws {Error} for a fault of the configuration. */
  static async start(options: PreparedCellsOptions): Promise<PreparedCells> {
    const cells = new PreparedCells(options);
    await cells.#prepare();
    const rest = cells.#unprepared();
    if (rest.length > 0) {
      options.say(
        `DATABASE_CELLS: ${rest.join(', ')} cannot be reached; requests of tenants there get 503 until it answers`,
      );
      cells.#tryLater();
    }
    return cells;
  }

  has(name: string): boolean {
    return this.#prepared.has(name);
  }

  /** Calls back when the cell is prepared, at once if it is. One callback for each cell. */
  whenPrepared(name: string, callback: () => void): void {
    if (this.has(name)) callback();
    else this.#waiting.set(name, callback);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#round;
  }

  #unprepared(): readonly string[] {
    return this.#options.cells.map(({ name }) => name).filter((name) => !this.has(name));
  }

  #tryLater(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#tryAgain();
    }, AGAIN_MS);
  }

  async #tryAgain(): Promise<void> {
    try {
      await this.#prepare();
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== this.#lastFault) this.#options.say(fault);
      this.#lastFault = fault;
    }
    if (!this.#closed && this.#unprepared().length > 0) this.#tryLater();
  }

  /** Those that were prepared before are compared with the new ones, because each must be a database of its own. */
  async #prepare(): Promise<void> {
    const { ownerUrl, cells, say } = this.#options;
    const reachable = await reachableCells(cells);
    const fresh = reachable.filter(({ name }) => !this.has(name));
    if (this.#prepared.size > 0 && fresh.length === 0) return;
    await prepareCells(ownerUrl, reachable, { say, known: cells });
    const isLate = this.#round !== null;
    for (const { name } of fresh) {
      this.#prepared.add(name);
      if (isLate) say(`DATABASE_CELLS: ${name} has answered; its tenants are served`);
      const callback = this.#waiting.get(name);
      this.#waiting.delete(name);
      if (!this.#closed) callback?.();
    }
  }
}
