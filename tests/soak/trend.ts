/** One measured value. */
export interface Point {
  readonly atMs: number;
  readonly value: number;
}

/** What a series may gain over the second half of a run. It grows only if it exceeds both bounds. */
export interface Bound {
  /** In the unit of the series. */
  readonly absolute: number;
  /** A share of its median. */
  readonly relative: number;
}

export interface Trend {
  /** The gain over the second half, by the Theil-Sen slope. Null: too few points. */
  readonly gain: number | null;
  /** The median of the second half. */
  readonly median: number;
  readonly grows: boolean;
}

const MIN_POINTS = 10;

/**
 * The trend of the second half of a series; the first half warms up. The Theil-Sen slope is the median of the slopes
 * between all pairs of points, so that up to 29 % of outliers and the sawtooth of a garbage collector do not change it.
 */
export function trendOf(points: readonly Point[], bound: Bound): Trend {
  const [first, last] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0];
  const middle = first + (last - first) / 2;
  const half = points.filter(({ atMs, value }) => atMs >= middle && Number.isFinite(value));
  const center = median(half.map(({ value }) => value));
  if (half.length < MIN_POINTS) return { gain: null, median: center, grows: false };
  const slopes: number[] = [];
  half.forEach((from, index) => {
    for (const to of half.slice(index + 1)) {
      if (to.atMs > from.atMs) slopes.push((to.value - from.value) / (to.atMs - from.atMs));
    }
  });
  const gain = median(slopes) * (last - middle);
  const grows = gain > bound.absolute && gain > bound.relative * Math.abs(center);
  return { gain, median: center, grows };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
