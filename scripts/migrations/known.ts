/**
 * What the migrations up to some point have made: what is of this release no running version uses, so that it may be
 * changed at will; and the types of columns, as far as they were written out.
 */
export class Known {
  readonly #fresh = new Set<string>();
  readonly #types = new Map<string, string>();
  /** Whether what is made now is of this release, or of one before. */
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

  /** Whether the column, or the table around it, is of this release. */
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
