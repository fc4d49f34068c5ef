/** The system cannot start a process at the moment: the disk is full, or there are too many files or processes. */
export class ProcessUnavailable extends Error {
  override readonly name = 'ProcessUnavailable';

  constructor(cause: unknown) {
    super('Cannot start a child process', { cause });
  }
}
