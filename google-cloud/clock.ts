import { setTimeout as delay } from 'node:timers/promises';

/** Time as the client sees it. Tests pass one that does not wait. */
export interface Clock {
  now(): Date;
  /** @throws the reason of the signal when it is aborted */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal });
    } catch {
      throw signal?.reason;
    }
  },
};
