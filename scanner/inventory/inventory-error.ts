/** An invalid inventory, with the fault and its position. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError';
  /** `malformed`: the file has to be corrected. `too_large`: a record or the whole exceeds a limit. */
  readonly code: 'malformed' | 'too_large';
  /** The physical line, counted from 1. */
  readonly line: number;
  /** The same as text: `line 17`. */
  readonly place: string;

  constructor(code: InventoryError['code'], line: number, message: string) {
    super(message);
    this.code = code;
    this.line = line;
    this.place = `line ${line}`;
  }
}

/** A record exceeds the limit for one record. */
export class RecordTooLarge extends InventoryError {
  constructor(line: number, message: string) {
    super('too_large', line, message);
  }
}

/** The message for bytes that are no UTF-8, such as the UTF-16 of a redirection in Windows PowerShell. */
export const NOT_UTF8 = 'This is not valid UTF-8. Save the export as UTF-8.';
