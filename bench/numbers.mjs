/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/**
 * The value that a share of all values does not exceed.
 * @param {readonly number[]} values
 * @param {number} share 0 to 1
 */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share - 1))] ?? Number.NaN;
}
