import { describe, expect, it } from 'vitest';
import { enumAt, isEnum } from './enumeration.ts';

describe('an enumeration value', () => {
  it.each([
    ['ON', 'on'],
    ['PUBLIC', 'public'],
    ['RSASHA1', 'rsasha1'],
    ['ZONE_SIGNING', 'zoneSigning'],
    ['KEY_SIGNING', 'keySigning'],
    ['TRANSFER', 'transfer'],
  ])('the enum value %s of an export equals %s of the REST API', (exported, rest) => {
    expect(isEnum(exported, rest)).toBe(true);
    expect(isEnum(rest, exported)).toBe(true);
    expect(enumAt({ value: exported }, 'value')).toBe(enumAt({ value: rest }, 'value'));
  });

  it('an enum value equals no other value, and only text', () => {
    expect(isEnum('OFF', 'ON')).toBe(false);
    for (const value of [undefined, null, true, 1, ['ON'], {}]) {
      expect(isEnum(value, 'ON')).toBe(false);
    }
    expect(enumAt({ value: '' }, 'value')).toBeNull();
    expect(enumAt({ value: 1 }, 'value')).toBeNull();
    expect(enumAt(null, 'value')).toBeNull();
  });
});
