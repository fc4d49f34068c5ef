const SHOWN_OF_A_KIND = 10;

/** The violated guarantees. */
export class Violations {
  readonly #found = new Map<string, string[]>();

  add(kind: string, what: string): void {
    const found = this.#found.get(kind) ?? [];
    found.push(`${new Date().toISOString().slice(11, 23)} ${what}`);
    this.#found.set(kind, found);
  }

  /** Adds a violation if the condition is false. */
  demand(holds: boolean, kind: string, what: () => string): void {
    if (!holds) this.add(kind, what());
  }

  get count(): number {
    return [...this.#found.values()].reduce((sum, { length }) => sum + length, 0);
  }

  lines(): string[] {
    return [...this.#found].flatMap(([kind, found]) => [
      `${kind}: ${found.length}`,
      ...found.slice(0, SHOWN_OF_A_KIND).map((what) => `    ${what.slice(0, 600)}`),
    ]);
  }
}
