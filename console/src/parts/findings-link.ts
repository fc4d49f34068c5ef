import type { Severity } from '@cspm/sdk';
import type { LinkProps } from '@tanstack/react-router';

/** Filters of the findings explorer, by their names in its address. */
interface FindingsFilters {
  readonly severity?: readonly Severity[];
  readonly project?: readonly string[];
  readonly rule?: readonly string[];
  readonly framework?: readonly string[];
  readonly delta?: readonly ('new' | 'unchanged' | 'reopened' | 'resolved')[];
  readonly scan?: string;
  /** The full name of an asset. */
  readonly asset?: string;
  /** `all`: muted findings too. `any`: resolved ones as well. */
  readonly view?: 'all' | 'any' | 'resolved';
  /** The id of the finding that is shown in the panel. */
  readonly open?: string;
}

/** The findings that a scan saw, including those that were resolved or muted since: the ones that it counts. */
export function seenBy(scan: string): FindingsFilters {
  return { view: 'any', scan, delta: ['new', 'unchanged', 'reopened'] };
}

/** Where the findings with these filters are: `<Link {...findingsLink({ project: ['shop-prod'] })}>`. */
export function findingsLink(filters: FindingsFilters) {
  return { to: '/findings', search: filters as NonNullable<LinkProps['search']> } as const;
}
