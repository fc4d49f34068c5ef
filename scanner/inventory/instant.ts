const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/i;

/**
 * A time of RFC 3339 in nanoseconds since 1970; null for anything else. Exports drop the trailing zeros of fractions,
 * so that their times cannot be compared as text, and two updates of one asset may lie in the same millisecond.
 */
export function instantOf(time: string | null): bigint | null {
  const parts = RFC_3339.exec(time ?? '');
  if (parts === null) return null;
  const [, second, fraction = '', zone] = parts;
  const milliseconds = Date.parse(`${second}${zone}`.toUpperCase());
  if (Number.isNaN(milliseconds)) return null;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
