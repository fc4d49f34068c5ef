import type { Logger } from 'pino';

/** Receives unhandled faults, and can end the process. */
export interface LastResort {
  readonly log: Logger;
  /** Counts the fault for the operator's alerts. */
  count(): void;
  /** Drains and ends the process with exit code 1. */
  end(): void;
}

/**
 * Handles unhandled rejections and exceptions. Request errors never get here because the pipeline catches them, so
 * every call is a defect, which is logged and counted.
 *
 * An unhandled rejection ended only its own work, so the process continues. An uncaught exception may have left state
 * inconsistent: the process drains and exits, and its orchestrator restarts it.
 */
export function handleStrayFaults({ log, count, end }: LastResort): void {
  process.on('unhandledRejection', (err) => {
    count();
    log.error({ err }, 'Unhandled promise rejection; the process continues');
  });
  process.on('uncaughtException', (err) => {
    count();
    log.fatal({ err }, 'Uncaught exception; the process exits');
    end();
  });
}
