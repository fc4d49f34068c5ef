import { describe, expect, it, vi } from 'vitest';
import { nextRunAfter, timingFault } from './cron.ts';

const NOW = new Date('2026-11-22T10:00:00Z');

/** The next runs after a moment, in UTC. */
function runs(cron: string, timezone: string, from: string, count: number): string[] {
  const found: string[] = [];
  let moment = new Date(from);
  while (found.length < count) {
    const next = nextRunAfter({ cron, timezone }, moment);
    if (next === null) break;
    found.push(next.toISOString().slice(0, 16));
    moment = next;
  }
  return found;
}

describe('runs across a change of daylight saving time', () => {
  it.each([
    // 02:30 does not exist on 29 March: the run follows the gap.
    [
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T00:00Z',
      ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    // 02:30 occurs twice on 25 October: the run is at the first.
    [
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T00:00Z',
      ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      '30 2 * * *',
      'America/New_York',
      '2026-03-07T00:00Z',
      ['2026-03-07T07:30', '2026-03-08T07:00', '2026-03-09T06:30'],
    ],
    [
      '30 1 * * *',
      'America/New_York',
      '2026-10-31T00:00Z',
      ['2026-10-31T05:30', '2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    // The clocks of Lord Howe change by 30 minutes: 02:15 does not exist on 4 October, 01:45 occurs twice on 5 April.
    [
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-02T16:00Z',
      ['2026-10-03T15:30', '2026-10-04T15:15', '2026-10-05T15:15'],
    ],
    [
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2026-04-03T15:00Z',
      ['2026-04-04T14:45', '2026-04-05T15:15', '2026-04-06T15:15'],
    ],
  ])(
    'the schedule %s in %s after %s runs at the right times across a change of daylight saving time',
    (cron, timezone, from, expected) => {
      expect(runs(cron, timezone, from, expected.length)).toEqual(expected);
    },
  );

  it.each(['Europe/Berlin', 'America/New_York'])(
    'an hourly schedule in %s runs every hour of both days on which daylight saving time changes',
    (timezone) => {
      for (const day of ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01']) {
        const found = runs('0 * * * *', timezone, `${day}T00:00Z`, 24).map((at) =>
          Date.parse(`${at}Z`),
        );
        const gaps = found.slice(1).map((at, index) => at - (found[index] ?? 0));
        expect(new Set(gaps), day).toEqual(new Set([3_600_000]));
      }
    },
  );
});

describe('the check of an expression', () => {
  it.each([
    ['0 3 * * *', 'Europe/Berlin'],
    ['59 23 31 12 *', 'UTC'],
    ['0 * * * *', 'Asia/Kolkata'],
    ['05 8-18/2 * JAN-JUN MON-FRI', 'America/New_York'],
    ['0 6 1 * MON', 'Etc/GMT+5'],
    ['0 0 29 2 *', 'UTC'],
    ['0 0 L * *', 'UTC'],
    ['0 0 * * FRI#L', 'UTC'],
  ])('a cron expression may be %s in %s', (cron, timezone) => {
    expect(timingFault({ cron, timezone }, NOW)).toBeNull();
  });

  it.each([
    ['* * * * *', 'the minute field must be one number'],
    ['*/5 * * * *', 'the minute field must be one number'],
    ['0,30 * * * *', 'the minute field must be one number'],
    ['0-1 3 * * *', 'the minute field must be one number'],
    ['0/30 * * * *', 'invalid minute field'],
    ['60 * * * *', 'invalid minute field'],
    ['0 24 * * *', 'invalid hour field'],
    ['0 5-3 * * *', 'invalid hour field'],
    ['0 0 0 * *', 'invalid day of month field'],
    ['0 0 * 13 *', 'invalid month field'],
    ['0 0 * * 8', 'invalid day of week field'],
    ['0 0 * * MOO', 'invalid day of week field'],
    ['0 0 31 2 *', 'never runs'],
    ['0 0 30 2 +MON#5', 'never runs'],
    ['0 0 31 4,6,9,11 +1', 'never runs'],
  ])('the cron expression %s is refused: %s', (cron, message) => {
    const fault = timingFault({ cron, timezone: 'UTC' }, NOW);
    expect(fault).toMatchObject({ member: 'cron', message: expect.stringContaining(message) });
  });

  it.each(['Mars/Phobos', 'Berlin', 'X', 'GMT+25'])(
    'the time zone %s is refused for a schedule',
    (timezone) => {
      expect(timingFault({ cron: '0 3 * * *', timezone }, NOW)?.member).toBe('timezone');
    },
  );

  it.each([
    ['0 0 31 * +SUN#1,MON#1,TUE#1,WED#1,THU#1,FRI#1,SAT#1', 'UTC', false],
    [`0 0 ${nearestWeekdays(24)} * +SUN`, 'UTC', false],
    // The clock of Nuuk skips 23:30 on the Saturday before the last Sunday of March.
    ['30 23 24-30 3 +SAT', 'America/Nuuk', false],
    ['0 0 31 2,4,6,9,11 +MON#5', 'UTC', false],
    // A Monday, 22 February, that is the last Monday of the month: every 6 to 12 years.
    [`0 0 22,${nearestWeekdays(19)} * +MON#L`, 'UTC', true],
    ['0 0 29 2 +MON#5', 'Europe/Berlin', true],
    [`0 ${Array.from({ length: 40 }, () => '1').join(',')} * * *`, 'UTC', true],
  ])(
    'checking the cron expression %s in %s takes little work, whether it runs or not',
    (cron, timezone, runs) => {
      // croner calculates each date that it looks at with this function.
      const calculated = vi.spyOn(Date, 'UTC');
      try {
        const fault = timingFault({ cron, timezone }, NOW);
        expect(calculated.mock.calls.length).toBeLessThan(40_000);
        expect(fault === null).toBe(runs);
      } finally {
        calculated.mockRestore();
      }
    },
  );

  it('a cron expression whose dates are 40 years apart is accepted, and runs at the next of them', () => {
    const moment = new Date('2072-03-01T00:00Z');
    const timing = { cron: '0 12 29 2 +MON', timezone: 'UTC' };
    expect(timingFault(timing, moment)).toBeNull();
    expect(nextRunAfter(timing, moment)?.toISOString()).toBe('2112-02-29T12:00:00.000Z');
  });

  it.each([
    ['0 12 31 12 *', 'Pacific/Pago_Pago', '2027-01-01T10:30Z', '2027-12-31T23:00'],
    ['0 23 31 12 *', 'Pacific/Pago_Pago', '2027-01-01T09:30Z', '2027-01-01T10:00'],
    ['0 1 1 1 *', 'Pacific/Kiritimati', '2026-12-31T09:30Z', '2026-12-31T11:00'],
  ])('a schedule %s in %s runs in the year of the time zone', (cron, timezone, from, expected) => {
    expect(runs(cron, timezone, from, 1)).toEqual([expected]);
  });
});

/** Of the first days of a month; croner compares each day of a month with all of them. */
function nearestWeekdays(count: number): string {
  return Array.from({ length: count }, (_, index) => `${index + 1}W`).join(',');
}
