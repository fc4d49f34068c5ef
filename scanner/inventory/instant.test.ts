import { describe, expect, it } from 'vitest';
import { instantOf } from './instant.ts';

describe('an instant', () => {
  it('instants with fractions of different lengths are ordered by time', () => {
    const times = [
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00.000000001Z',
      '2026-01-01T00:00:00.5Z',
      '2026-01-01T00:00:00.65027502Z',
      '2026-01-01T00:00:00.650275024Z',
      '2026-01-01T00:00:01Z',
    ];
    const instants = times.map(instantOf);
    expect(instants).not.toContain(null);
    expect(instants.toSorted((a, b) => ((a ?? 0n) < (b ?? 0n) ? -1 : 1))).toEqual(instants);
  });

  it('instants with different time zones are ordered by time', () => {
    expect(instantOf('2026-01-01T01:00:00+01:00')).toBe(instantOf('2026-01-01T00:00:00Z'));
  });

  it.each([null, '', 'yesterday', '2026-01-01', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00'])(
    'the text %j is not an instant',
    (time) => {
      expect(instantOf(time)).toBeNull();
    },
  );
});
