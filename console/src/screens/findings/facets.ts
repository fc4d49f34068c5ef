import type { FindingSummary } from '@cspm/sdk';
import { frameworkName, kindOf } from '../../lib/format.ts';

/** The filters that are chosen from a list of values with counts. */
export const FACETS = [
  { key: 'project', label: 'Project' },
  { key: 'category', label: 'Category' },
  { key: 'assetType', label: 'Asset type' },
  { key: 'framework', label: 'Framework' },
  { key: 'delta', label: 'Change' },
  { key: 'rule', label: 'Rule' },
] as const;

export type FacetKey = (typeof FACETS)[number]['key'];

/** A value as people read it. */
export function facetValue(key: FacetKey, value: string): string {
  if (key === 'assetType') return kindOf(value);
  if (key === 'framework') return frameworkName(value);
  if (key === 'delta') return value.charAt(0).toUpperCase() + value.slice(1);
  return value;
}

/** The values of a facet with their counts; chosen values without findings stay, so that they can be removed. */
export function facetOptions(
  summary: FindingSummary | undefined,
  key: FacetKey,
  chosen: readonly string[],
): readonly { readonly value: string; readonly count: number }[] {
  const found = summary?.facets[key] ?? [];
  const missing = chosen.filter((value) => !found.some((one) => one.value === value));
  return [...found, ...missing.map((value) => ({ value, count: 0 }))];
}
