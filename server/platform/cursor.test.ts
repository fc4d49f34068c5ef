import { describe, expect, it } from 'vitest';
import { idAfter, keyAfter, momentAfter, momentKey, pageFrom, wholeList } from './cursor.ts';
import { newId } from './ids.ts';

const page = (rows: string[], limit: number) =>
  pageFrom(
    rows,
    limit,
    (row) => row,
    (row) => row.toUpperCase(),
  );

describe('a page', () => {
  it('a page has a next cursor when one row more was found than it holds', () => {
    const first = page(['a', 'b', 'c'], 2);
    expect(first.items).toEqual(['A', 'B']);
    expect(keyAfter(first.nextCursor ?? '')).toBe('b');
  });

  it.each([[['a', 'b']], [['a']], [[]]])(
    'a page has no next cursor when no further row was found: %j',
    (rows) => {
      expect(page(rows, 2)).toEqual({
        items: rows.map((row) => row.toUpperCase()),
        nextCursor: null,
      });
    },
  );

  it('a page with the whole list has no next cursor', () => {
    expect(wholeList([1, 2])).toEqual({ items: [1, 2], nextCursor: null });
  });
});

describe('a cursor', () => {
  it('a cursor encodes its key in characters that need no escape in a URL', () => {
    for (const key of [newId(), 'bucket-public', 'ä€\u{1F511}', '']) {
      const { nextCursor } = page([key, 'more'], 1);
      expect(nextCursor).toMatch(/^[A-Za-z0-9_-]*$/);
      expect(keyAfter(nextCursor ?? 'none')).toBe(key);
    }
  });

  it('a cursor of a list by time encodes the time and the id, and anything else in their place is refused', () => {
    const encoded = (key: string) => Buffer.from(key).toString('base64url');
    const moment = { at: new Date('2026-11-20T08:00:00.000Z'), id: 'a.b-c' };
    expect(momentAfter(encoded(momentKey(moment)), /^[a-z.-]+$/)).toEqual(moment);
    expect(momentAfter(undefined, /./)).toBeNull();
    for (const key of [
      '',
      'a.b-c',
      '2026-11-20 a',
      '2026-13-20T08:00:00.000Z a',
      '2026-11-20T08:00:00.000Z ',
      '2026-11-20T08:00:00.000Z A',
      '2026-11-20T08:00:00.000Z a\0',
      '+012026-11-20T08:00:00.000Z a',
    ]) {
      expect(() => momentAfter(encoded(key), /^[a-z.-]+$/)).toThrow('is not a valid cursor');
    }
  });

  it('a missing cursor starts at the first page', () => {
    expect(keyAfter(undefined)).toBeNull();
    expect(idAfter(undefined)).toBeNull();
  });

  it.each([
    ['with signs that no cursor has', 'a b'],
    ['with padding', `${Buffer.from('a').toString('base64')}`],
    ['of bytes that are not text', Buffer.from([0xff]).toString('base64url')],
    ['with bits to spare', 'YR'],
    ['of the other base 64', '++//'],
  ])('a cursor %s is refused', (_what, cursor) => {
    expect(() => keyAfter(cursor)).toThrow('is not a valid cursor');
  });

  it.each(['', 'x', '0199c2a4', 'NULL', "' OR 1=1", '0199C2A4-9B60-7D41-A3F2-58C1E7D90B36'])(
    'a cursor with anything other than an id is refused: %j',
    (key) => {
      const cursor = Buffer.from(key).toString('base64url');
      expect(() => idAfter(cursor)).toThrow('is not a valid cursor');
    },
  );
});
