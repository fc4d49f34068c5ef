import { describe, expect, it } from 'vitest';
import { child, isObject, isTrue, items, objects, strings, text } from './json.ts';

describe('typed reads of untrusted JSON', () => {
  it('an untrusted value of the wrong type is read as absent', () => {
    const odd = { object: [1], text: 7, flag: 'true', list: { 0: 'a' } };
    expect(child(odd, 'object')).toBeNull();
    expect(text(odd, 'text')).toBeNull();
    expect(isTrue(odd, 'flag')).toBe(false);
    expect(items(odd, 'list')).toEqual([]);
  });

  it('everything below an absent parent is read as absent', () => {
    expect(child(null, 'a')).toBeNull();
    expect(text(null, 'a')).toBeNull();
    expect(isTrue(null, 'a')).toBe(false);
    expect(items(null, 'a')).toEqual([]);
  });

  it('an empty string is read as a field that is not set', () => {
    expect(text({ key: '' }, 'key')).toBeNull();
    expect(text({ key: 'k' }, 'key')).toBe('k');
  });

  it('the spelling of an array that has elements is read, the plural first', () => {
    expect(items({ disks: [1], disk: [2] }, 'disks', 'disk')).toEqual([1]);
    expect(items({ disks: [], disk: [2] }, 'disks', 'disk')).toEqual([2]);
    expect(items({ disks: 'none', disk: [2] }, 'disks', 'disk')).toEqual([2]);
  });

  it('array elements of another type are left out', () => {
    const mixed = { list: [{ a: 1 }, 'b', null, [], 3] };
    expect(objects(mixed, 'list')).toEqual([{ a: 1 }]);
    expect(strings(mixed, 'list')).toEqual(['b']);
  });

  it('null and arrays are not read as objects', () => {
    expect(isObject(null)).toBe(false);
    expect(isObject([])).toBe(false);
    expect(isObject({})).toBe(true);
  });
});
