import type { Sample } from './samples.ts';
import { type Bound, type Point, type Trend, trendOf } from './trend.ts';

/** What may not grow over the second half of a run, by the end of a column's name. Latency has no bound. */
export const BOUNDS: readonly { readonly column: string; readonly bound: Bound }[] = [
  { column: ' rss MiB', bound: { absolute: 20, relative: 0.15 } },
  { column: ' heap MiB', bound: { absolute: 20, relative: 0.25 } },
  { column: ' pool connections', bound: { absolute: 2, relative: 0.2 } },
  { column: 'postgres connections', bound: { absolute: 4, relative: 0.2 } },
  { column: 'dead rows %', bound: { absolute: 10, relative: 0.25 } },
  { column: 'bytes a live row', bound: { absolute: 200, relative: 0.2 } },
  { column: 'job queue MiB', bound: { absolute: 2, relative: 0.25 } },
];

export interface Judged extends Trend {
  readonly column: string;
  readonly bound: Bound;
}

export function judge(samples: readonly Sample[]): Judged[] {
  const columns = [...(samples[0]?.values.keys() ?? [])];
  return columns.flatMap((column) => {
    const found = BOUNDS.find((each) => column.endsWith(each.column));
    if (found === undefined) return [];
    return [{ column, bound: found.bound, ...trendOf(seriesOf(samples, column), found.bound) }];
  });
}

export function seriesOf(samples: readonly Sample[], column: string): Point[] {
  return samples.map(({ atMs, values }) => ({ atMs, value: values.get(column) ?? Number.NaN }));
}
