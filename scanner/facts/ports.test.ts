import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitsEveryPort, admitsPort, parsePorts } from './ports.ts';

describe('the ports of a firewall rule', () => {
  it('a firewall rule without ports allows all ports', () => {
    expect(admitsPort(parsePorts([]), 22)).toBe(true);
    expect(admitsEveryPort(parsePorts([]))).toBe(true);
  });

  it.each([
    ['22', 22, true],
    ['22', 23, false],
    [22, 22, true],
    ['20-25', 20, true],
    ['20-25', 25, true],
    ['20-25', 26, false],
    [' 20 - 25 ', 22, true],
    ['25-20', 22, false],
    ['ssh', 22, false],
    ['22-', 22, false],
    ['-22', 22, false],
    ['22,80', 22, false],
    ['', 22, false],
    [null, 22, false],
    [{ first: 1 }, 22, false],
  ])('a firewall rule with the ports %j allows port %i: %s', (entry, port, admitted) => {
    expect(admitsPort(parsePorts([entry]), port)).toBe(admitted);
  });

  it.each([
    [['0-65535']],
    [['1-65535']],
    [['0-1', '2-65535']],
    [['100-65535', '1-99', '7']],
    [['1-65535', '70000']],
  ])('the ports %j are all ports', (list) => {
    expect(admitsEveryPort(parsePorts(list))).toBe(true);
  });

  it.each([[['1-65534']], [['2-65535']], [['0-99', '101-65535']], [['ssh']], [['65535']]])(
    'the ports %j are not all ports',
    (list) => {
      expect(admitsEveryPort(parsePorts(list))).toBe(false);
    },
  );

  it('a firewall rule allows all ports exactly when it allows each one', () => {
    const edge = fc.constantFrom(0, 1, 2, 21, 22, 30_000, 65_534, 65_535, 70_000);
    const ranges = fc.array(fc.tuple(edge, edge), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(ranges, (pairs) => {
        const ports = parsePorts(pairs.map(([first, last]) => `${first}-${last}`));
        // A port can be missing only next to the boundary of a range.
        const candidates = [
          1, 2, 3, 20, 21, 22, 23, 29_999, 30_000, 30_001, 65_533, 65_534, 65_535,
        ];
        expect(admitsEveryPort(ports)).toBe(candidates.every((port) => admitsPort(ports, port)));
      }),
    );
  });
});
