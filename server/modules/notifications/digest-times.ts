import type { DIGESTS } from '@cspm/contract';

export type Digest = (typeof DIGESTS)[number];

/** Digests of a day or a week are sent at this hour, in UTC. */
const HOUR_OF_DAY = 7;
/** Monday, as `getUTCDay` counts. */
const DAY_OF_WEEK = 1;
const DAYS_OF_WEEK = 7;

/** When an e-mail is due about something that happens now. */
export function digestDueAt(digest: Exclude<Digest, 'off'>, now: Date): Date {
  if (digest === 'immediate') return now;
  const due = new Date(now);
  due.setUTCHours(HOUR_OF_DAY, 0, 0, 0);
  if (due <= now) due.setUTCDate(due.getUTCDate() + 1);
  if (digest === 'weekly') {
    const wait = (DAY_OF_WEEK - due.getUTCDay() + DAYS_OF_WEEK) % DAYS_OF_WEEK;
    due.setUTCDate(due.getUTCDate() + wait);
  }
  return due;
}
