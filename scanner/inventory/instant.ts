const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/i;

/**
 * Parses an RFC 3339 time to nanoseconds since 1970; null for anything else. Exports omit trailing zeros of fractions,
 * so their times cannot be compared as text, and two updates of one asset may be within one millisecond.
 */
export function instantOf(time: string | null): bigint | null {
  const parts = RFC_3339.exec(time ?? '');
  if (parts === null) return null;
  const [, second, fraction = '', zone] = parts;
  const milliseconds = Date.parse(`${second}${zone}`.toUpperCase());
  if (Number.isNaN(milliseconds)) return null;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
