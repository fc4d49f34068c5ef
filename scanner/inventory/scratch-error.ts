import { tmpdir } from 'node:os';

/** That the folder for temporary files has no room, or does not work: the inventory is not at fault. */
export class ScratchError extends Error {
  override readonly name = 'ScratchError';

  private constructor(cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    super(
      `Temporary files cannot be kept in ${tmpdir()}${code}; make room there, or set TMPDIR to another folder.`,
      { cause },
    );
  }

  /** Does something with a temporary file. @throws {ScratchError} in the place of what it throws. */
  static async instead<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ScratchError(error);
    }
  }
}
