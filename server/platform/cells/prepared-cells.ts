import { reasonOf } from '../reason.ts';
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
  readonly #lastFaults = new Map<string, string>();

  private constructor(options: PreparedCellsOptions) {
    this.#options = options;
  }

  /** @throws {Error} for a fault of the configuration. */
  static async start(options: PreparedCellsOptions): Promise<PreparedCells> {
    const { ownerUrl, cells, say } = options;
    const prepared = new PreparedCells(options);
    const reachable = await reachableCells(cells);
    await prepareCells(ownerUrl, reachable, { say, known: cells });
    for (const { name } of reachable) prepared.#prepared.add(name);
    const rest = prepared.#unprepared().map(({ name }) => name);
    if (rest.length > 0) {
      say(
        `DATABASE_CELLS: ${rest.join(', ')} cannot be reached; requests of tenants there get 503 until it answers`,
      );
      prepared.#tryLater();
    }
    return prepared;
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

  #unprepared(): readonly Cell[] {
    return this.#options.cells.filter(({ name }) => !this.has(name));
  }

  #tryLater(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#tryAgain();
    }, AGAIN_MS);
  }

  async #tryAgain(): Promise<void> {
    for (const cell of await reachableCells(this.#unprepared())) {
      if (this.#closed) return;
      await this.#prepareLate(cell).catch((error: unknown) => this.#sayOnce(cell, error));
    }
    if (!this.#closed && this.#unprepared().length > 0) this.#tryLater();
  }

  /** The others are compared with it, because each must be a database of its own. */
  async #prepareLate(cell: Cell): Promise<void> {
    const { ownerUrl, cells, say } = this.#options;
    const others = await reachableCells(cells.filter(({ name }) => this.has(name)));
    await prepareCells(ownerUrl, [...others, cell], { say, known: cells });
    this.#prepared.add(cell.name);
    say(`DATABASE_CELLS: ${cell.name} has answered; its tenants are served`);
    const callback = this.#waiting.get(cell.name);
    this.#waiting.delete(cell.name);
    callback?.();
  }

  #sayOnce({ name }: Cell, error: unknown): void {
    const fault = reasonOf(error);
    if (this.#lastFaults.get(name) !== fault) this.#options.say(fault);
    this.#lastFaults.set(name, fault);
  }
}
