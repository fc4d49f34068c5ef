import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json.ts';
import {
  applyPatch,
  PATCH_LIMITS,
  PatchError,
  type PatchOperation,
  pointerOf,
} from './json-patch.ts';

describe('a patch', () => {
  // The examples of RFC 6902, appendix A, for the operations that fixes use.
  it.each<[string, JsonValue, PatchOperation, JsonValue]>([
    ['A.1', { foo: 'bar' }, { op: 'add', path: '/baz', value: 1 }, { foo: 'bar', baz: 1 }],
    ['A.2', { a: [1, 3] }, { op: 'add', path: '/a/1', value: 2 }, { a: [1, 2, 3] }],
    ['A.3', { baz: 1, foo: 2 }, { op: 'remove', path: '/baz' }, { foo: 2 }],
    ['A.4', { a: [1, 2, 3] }, { op: 'remove', path: '/a/1' }, { a: [1, 3] }],
    ['A.5', { a: 1, b: 2 }, { op: 'replace', path: '/a', value: 3 }, { a: 3, b: 2 }],
    ['A.8', { a: [1, 'x'] }, { op: 'test', path: '/a/1', value: 'x' }, { a: [1, 'x'] }],
    ['A.10', { a: 1 }, { op: 'add', path: '/b', value: { c: {} } }, { a: 1, b: { c: {} } }],
    ['A.14', { '/': 9, '~1': 10 }, { op: 'test', path: '/~01', value: 10 }, { '/': 9, '~1': 10 }],
    ['A.16', { a: [1] }, { op: 'add', path: '/a/-', value: [2] }, { a: [1, [2]] }],
    ['the whole document', { a: 1 }, { op: 'replace', path: '', value: [] }, []],
    ['an element', { a: [1, 2] }, { op: 'replace', path: '/a/0', value: 3 }, { a: [3, 2] }],
  ])('a JSON patch is applied as RFC 6902 says: %s', (_, document, operation, expected) => {
    const copy = structuredClone(document);
    expect(applyPatch(document, [operation])).toEqual(expected);
    expect(document).toEqual(copy);
  });

  it.each<[string, PatchOperation]>([
    ['A.9, a test of another value', { op: 'test', path: '/a', value: 2 }],
    ['A.12, an addition below nothing', { op: 'add', path: '/x/y', value: 1 }],
    ['a test of a number as text', { op: 'test', path: '/a', value: '1' }],
    ['a missing member', { op: 'remove', path: '/b' }],
    ['a replacement of nothing', { op: 'replace', path: '/b', value: 1 }],
    ['an inherited member', { op: 'remove', path: '/toString' }],
    ['an index beyond the end', { op: 'add', path: '/list/2', value: 1 }],
    ['an index with a zero in front', { op: 'remove', path: '/list/00' }],
    ['an index that is a name', { op: 'remove', path: '/list/length' }],
    ['the element after the last', { op: 'remove', path: '/list/-' }],
    ['a path without a slash', { op: 'remove', path: 'a' }],
    ['a path with a malformed escape', { op: 'remove', path: '/~2' }],
    ['the whole document', { op: 'remove', path: '' }],
    ['a prototype', { op: 'add', path: '/__proto__', value: { polluted: true } }],
    ['a member of a prototype', { op: 'add', path: '/__proto__/polluted', value: true }],
    ['a path that is too deep', { op: 'remove', path: '/a'.repeat(PATCH_LIMITS.depth + 1) }],
  ])('a JSON patch is refused: %s', (_, operation) => {
    expect(() => applyPatch({ a: 1, list: [1] }, [operation])).toThrow(PatchError);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('a JSON patch with too many operations is refused', () => {
    const operation: PatchOperation = { op: 'test', path: '/a', value: 1 };
    const most = Array.from({ length: PATCH_LIMITS.operations }, () => operation);
    expect(applyPatch({ a: 1 }, most)).toEqual({ a: 1 });
    expect(() => applyPatch({ a: 1 }, [...most, operation])).toThrow(PatchError);
  });

  it('a JSON patch reaches members of any name', () => {
    const name = fc.string({ unit: 'binary' }).filter((one) => one !== '__proto__');
    fc.assert(
      fc.property(name, (member) => {
        const path = pointerOf(['a', member]);
        const added = applyPatch({ a: {} }, [{ op: 'add', path, value: 1 }]);
        expect(added).toEqual({ a: { [member]: 1 } });
        expect(applyPatch(added, [{ op: 'remove', path }])).toEqual({ a: {} });
      }),
    );
  });
});
