import { describe, expect, it } from 'vitest';
import { child, isObject, isTrue, items, objects, strings, text } from './json.ts';

describe('typed reads of untrusted JSON', () => {
  it('take a value of the wrong type for an absent one', () => {
    const odd = { object: [1], text: 7, flag: 'true', list: { 0: 'a' } };
    expect(child(odd, 'object')).toBeNull();
    expect(text(odd, 'text')).toBeNull();
    expect(isTrue(odd, 'flag')).toBe(false);
    expect(items(odd, 'list')).toEqual([]);
  });

  it('answer absent for everything below an absent parent', () => {
    expect(child(null, 'a')).toBeNull();
    expect(text(null, 'a')).toBeNull();
    expect(isTrue(null, 'a')).toBe(false);
    expect(items(null, 'a')).toEqual([]);
  });

  it('take the empty string for a field that is not set', () => {
    expect(text({ key: '' }, 'key')).toBeNull();
    expect(text({ key: 'k' }, 'key')).toBe('k');
  });

  it('take the spelling of an array that holds something, the plural first', () => {
    expect(items({ disks: [1], disk: [2] }, 'disks', 'disk')).toEqual([1]);
    expect(items({ disks: [], disk: [2] }, 'disks', 'disk')).toEqual([2]);
    expect(items({ disks: 'none', disk: [2] }, 'disks', 'disk')).toEqual([2]);
  });

  it('leave out elements of another type', () => {
    const mixed = { list: [{ a: 1 }, 'b', null, [], 3] };
    expect(objects(mixed, 'list')).toEqual([{ a: 1 }]);
    expect(strings(mixed, 'list')).toEqual(['b']);
  });

  it('do not call null or an array an object', () => {
    expect(isObject(null)).toBe(false);
    expect(isObject([])).toBe(false);
    expect(isObject({})).toBe(true);
  });
});
