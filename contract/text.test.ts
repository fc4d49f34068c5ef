import { describe, expect, it } from 'vitest';
import { givenTime } from './text.ts';

describe('a time in a request', () => {
  it.each([
    ['2026-11-20T08:00:00.000Z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00:00+00:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T09:30:00+01:30', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00:00.123456Z', '2026-11-20T08:00:00.123Z'],
    ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00+23:59', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59.999Z'],
  ])('the time %s in a request is read as %s', (given, read) => {
    expect(givenTime.parse(given)).toBe(read);
  });

  it.each(['yesterday', '2026-11-20', '2026-02-30T00:00:00Z', '2026-11-20T08:00:00', ''])(
    'the time %j in a request is refused',
    (given) => {
      expect(givenTime.safeParse(given).success).toBe(false);
    },
  );
});
