import { describe, expect, it } from 'vitest';
import { digestDueAt } from './digest-times.ts';

const due = (digest: 'immediate' | 'daily' | 'weekly', now: string) =>
  digestDueAt(digest, new Date(now)).toISOString();

describe('a digest is due', () => {
  it.each([
    ['immediate', '2026-11-23T06:59:59.999Z', '2026-11-23T06:59:59.999Z'],
    ['daily', '2026-11-23T06:59:59.999Z', '2026-11-23T07:00:00.000Z'],
    ['daily', '2026-11-23T07:00:00.000Z', '2026-11-24T07:00:00.000Z'],
    ['daily', '2026-12-31T23:00:00.000Z', '2027-01-01T07:00:00.000Z'],
    ['weekly', '2026-11-23T06:00:00.000Z', '2026-11-23T07:00:00.000Z'],
    ['weekly', '2026-11-23T07:00:00.000Z', '2026-11-30T07:00:00.000Z'],
    ['weekly', '2026-11-29T23:59:00.000Z', '2026-11-30T07:00:00.000Z'],
    ['weekly', '2026-11-25T12:00:00.000Z', '2026-11-30T07:00:00.000Z'],
  ] as const)('a digest that is %s at %s is due at %s', (digest, now, at) => {
    expect(due(digest, now)).toBe(at);
  });
});
