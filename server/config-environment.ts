/* What an environment means before its variables are validated. */

/** Empty variables count as unset. */
export const unset = (value: unknown) => (value === '' ? undefined : value);

/** A secret that was created from a file usually ends with the line break of that file, which nobody enters at a sign-in. */
export function withoutLastLineBreaks(
  given: Record<string, string | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value?.replace(/[\r\n]+$/, '')]),
  );
}
