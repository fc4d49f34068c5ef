import { tmpdir } from 'node:os';

/** The folder for temporary files is full or unusable; the inventory is not the cause. */
export class ScratchError extends Error {
  override readonly name = 'ScratchError';

  private constructor(cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    super(
      `Cannot write temporary files in ${tmpdir()}${code}; free disk space there, or set TMPDIR to another folder.`,
      { cause },
    );
  }

  /**
   * Runs an operation on a temporary file.
   * @throws {ScratchError} in place of the operation's error
   */
  static async instead<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ScratchError(error);
    }
  }
}
