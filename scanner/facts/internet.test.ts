import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coversInternet } from './internet.ts';

/** Everything but one block: the complement of `1.0.0.0/8` as eight ranges. */
const ALL_BUT_1 = [
  ...['0.0.0.0/8', '2.0.0.0/7', '4.0.0.0/6', '8.0.0.0/5'],
  ...['16.0.0.0/4', '32.0.0.0/3', '64.0.0.0/2', '128.0.0.0/1'],
];

describe('the internet', () => {
  it.each([
    [['0.0.0.0/0']],
    [['::/0']],
    [['10.0.0.0/8', '::/0']],
    [['0.0.0.0/1', '128.0.0.0/1']],
    [['128.0.0.0/1', '64.0.0.0/2', '0.0.0.0/2']],
    [['::/1', '8000::/1']],
    [['203.0.113.9/0']],
    [ALL_BUT_1],
    [[...ALL_BUT_1, '10.0.0.0/8', 'nonsense']],
  ])('the ranges %j cover the internet', (ranges) => {
    expect(coversInternet(ranges)).toBe(true);
  });

  it.each([
    [[]],
    [['0.0.0.0/1']],
    [['0.0.0.0/1', '0.0.0.0/1']],
    [['0.0.0.0/1', '::/1']],
    [['2000::/3']],
    [['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']],
    [ALL_BUT_1.filter((range) => range !== '2.0.0.0/7' && range !== '4.0.0.0/6')],
    [['0.0.0.0']],
    [
      [
        '0.0.0.0/33',
        '::/129',
        '0.0.0.0/',
        '/0',
        '0/0',
        '256.0.0.0/0',
        '0.0.0.0/-1',
        '0.0.0.0/00000',
      ],
    ],
    [['any', '*', '', 'fe80::1%eth0/0', '1.2.3.4/0/0']],
  ])('the ranges %j do not cover the internet', (ranges) => {
    expect(coversInternet(ranges)).toBe(false);
  });

  it('ranges cover the internet from 99 % of the addresses on', () => {
    // 254 of the 256 blocks of the first octet are 99.2 %, 253 are 98.8 %.
    const blocks = Array.from({ length: 256 }, (_, octet) => `${octet}.0.0.0/8`);
    expect(coversInternet(blocks.slice(0, 254))).toBe(true);
    expect(coversInternet(blocks.slice(0, 253))).toBe(false);
  });

  it('ranges of IPv6 cover the internet in every abbreviation of an address', () => {
    expect(coversInternet(['0:0:0:0:0:0:0:0/1', '8000:0::0/1'])).toBe(true);
    expect(coversInternet(['::1.2.3.4/1', 'FFFF::1/1'])).toBe(true);
    expect(coversInternet(['0:0::/1', '8000:1:2:3:4:5:1.2.3.4/1'])).toBe(true);
    expect(coversInternet(['::8:7:6:5:4:3:2/1', '::8000:0:0:0:0:0:0/1'])).toBe(false);
    expect(coversInternet(['::ffff:0:0/96'])).toBe(false);
  });

  it('ranges cover the internet exactly when the number of covered addresses says so', () => {
    const range = fc.record({
      octet: fc.nat({ max: 255 }),
      length: fc.integer({ min: 1, max: 8 }),
    });
    const gaps = fc.array(fc.nat({ max: 255 }), { maxLength: 5 });
    const most = gaps.map((missing) =>
      Array.from({ length: 256 }, (_, octet) => ({ octet, length: 8 })).filter(
        ({ octet }) => !missing.includes(octet),
      ),
    );
    const ranges = fc.oneof(
      fc.array(range, { maxLength: 40 }),
      most,
      fc.tuple(most, fc.array(range)).map((all) => all.flat()),
    );
    fc.assert(
      fc.property(ranges, (list) => {
        const covered = new Set<number>();
        for (const { octet, length } of list) {
          const size = 2 ** (8 - length);
          const first = octet - (octet % size);
          for (let at = first; at < first + size; at += 1) covered.add(at);
        }
        const expected = covered.size / 256 >= 0.99;
        const v4 = list.map(({ octet, length }) => `${octet}.0.0.0/${length}`);
        const v6 = list.map(({ octet, length }) => `${octet.toString(16)}00::/${length}`);
        expect(coversInternet(v4)).toBe(expected);
        expect(coversInternet(v6)).toBe(expected);
        expect(coversInternet(v4.toReversed())).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('ranges are checked in bounded time over a whole record', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `${at % 200}.${at % 256}.0.0/8`);
    expect(coversInternet(many)).toBe(false);
  });
});
