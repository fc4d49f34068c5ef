/**
 * The system cannot start a process at the moment: the disk is full, there are too many files or processes, or the
 * process got too little processor time.
 */
export class ProcessUnavailable extends Error {
  override readonly name = 'ProcessUnavailable';

  constructor(cause: unknown) {
    super('Cannot start a child process', { cause });
  }
}
