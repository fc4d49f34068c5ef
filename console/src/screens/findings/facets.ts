import type { FindingSummary } from '@cspm/sdk';
import { frameworkName, kindOf } from '../../lib/format.ts';
import { PROJECT_NAME } from '../../lib/search-params.ts';

/** The filters that are chosen from a list of values with counts, and the most characters of a value that is not listed. */
export const FACETS = [
  { key: 'project', label: 'Project', longest: 63 },
  { key: 'category', label: 'Category', longest: 50 },
  { key: 'assetType', label: 'Asset type', longest: 200 },
  { key: 'framework', label: 'Framework', longest: 50 },
  // All values are listed.
  { key: 'delta', label: 'Change', longest: 0 },
  { key: 'rule', label: 'Rule', longest: 100 },
] as const;

/** The most values of a filter that the API lists: the most frequent ones. */
export const MOST_VALUES = 100;

export type FacetKey = (typeof FACETS)[number]['key'];

/** Whether the API accepts a text as a value of a filter. */
export function isFacetValue(key: FacetKey, text: string): boolean {
  const longest = FACETS.find((facet) => facet.key === key)?.longest ?? 0;
  return text !== '' && text.length <= longest && (key !== 'project' || PROJECT_NAME.test(text));
}

/** A value as people read it. */
export function facetValue(key: FacetKey, value: string): string {
  if (key === 'assetType') return kindOf(value);
  if (key === 'framework') return frameworkName(value);
  if (key === 'delta') return value.charAt(0).toUpperCase() + value.slice(1);
  return value;
}

export interface FacetOption {
  readonly value: string;
  /** Undefined: not known, because the value is not among the most frequent ones. */
  readonly count: number | undefined;
}

/** The values of a facet with their counts; chosen values that are not listed stay, so that they can be removed. */
export function facetOptions(
  summary: FindingSummary | undefined,
  key: FacetKey,
  chosen: readonly string[],
): {
  readonly options: readonly FacetOption[];
  readonly hasMore: boolean;
  readonly isLoaded: boolean;
} {
  const isLoaded = summary !== undefined;
  const found = summary?.facets[key] ?? [];
  const hasMore = found.length >= MOST_VALUES;
  const missing = chosen.filter((value) => !found.some((one) => one.value === value));
  const added = missing.map((value) => ({ value, count: hasMore || !isLoaded ? undefined : 0 }));
  return { options: [...found, ...added], hasMore, isLoaded };
}
