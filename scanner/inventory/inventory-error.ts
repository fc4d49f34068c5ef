/** Why an inventory is refused: what is wrong with it, and where. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError';
  /** `malformed`: mend the file. `too_large`: a record or the whole is over the bound. */
  readonly code: 'malformed' | 'too_large';
  /** The physical line, counted from 1: `line 17`. */
  readonly place: string;

  constructor(code: InventoryError['code'], line: number, message: string) {
    super(message);
    this.code = code;
    this.place = `line ${line}`;
  }
}
