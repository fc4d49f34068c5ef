/**
 * The objects that the migrations so far have created: those of this release may be changed freely, because no running
 * version uses them. Also the types of columns, as far as they are spelled out.
 */
export class Known {
  readonly #fresh = new Set<string>();
  readonly #types = new Map<string, string>();
  /** Whether new objects belong to this release or an earlier one. */
  #released = true;

  beginRelease(): void {
    this.#released = false;
  }

  made(kind: Kind, name: string): void {
    if (!this.#released) this.#fresh.add(`${kind} ${name}`);
  }

  isFresh(kind: Kind, name: string): boolean {
    return this.#fresh.has(`${kind} ${name}`);
  }

  /** Whether the column, or its table, belongs to this release. */
  isFreshColumn(table: string, column: string): boolean {
    return this.isFresh('table', table) || this.isFresh('column', `${table}.${column}`);
  }

  hasType(table: string, column: string, type: string): void {
    this.#types.set(`${table}.${column}`, type);
  }

  typeOf(table: string, column: string): string | null {
    return this.#types.get(`${table}.${column}`) ?? null;
  }
}

export type Kind =
  | 'table'
  | 'column'
  | 'constraint'
  | 'index'
  | 'policy'
  | 'function'
  | 'type'
  | 'view'
  | 'schema'
  | 'sequence'
  | 'trigger';
