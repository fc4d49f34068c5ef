/** The items of a list with commas, without blanks and empty items. */
export function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Null: none is set. */
export function secretsOf(value: string | undefined): string[] | null {
  const secrets = listOf(value);
  return secrets.length === 0 ? null : secrets;
}

/** A number of proxies, or their ranges. False: none is trusted. */
export function trustProxyOf(value: string | undefined): false | number | string[] {
  if (value === undefined) return false;
  return /^\d+$/.test(value) ? Number(value) : listOf(value);
}
