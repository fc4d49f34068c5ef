import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@cspm/google-cloud';

/** A longer wait gives the place of a pull to others. */
const LONGEST_WAIT_MS = 5_000;

/** A pull would have to wait for longer than it may occupy a worker. */
export class PutOff extends Error {
  override readonly name = 'PutOff';
  readonly seconds: number;
  /** Whether Google caused the wait, and not our own pacing. */
  readonly isStall: boolean;

  constructor(seconds: number, isStall: boolean) {
    super(`Wait for ${seconds} s`);
    this.seconds = seconds;
    this.isStall = isStall;
  }
}

/** A clock that sleeps for short times, and throws `PutOff` instead of sleeping for longer. */
export function putOffClock({ isStall }: { readonly isStall: boolean }): Clock {
  return {
    now: () => new Date(),
    async sleep(ms, signal) {
      if (ms > LONGEST_WAIT_MS) throw new PutOff(ms / 1000, isStall);
      try {
        await delay(ms, undefined, signal === undefined ? {} : { signal });
      } catch {
        throw signal?.reason;
      }
    },
  };
}
