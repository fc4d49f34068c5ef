import type { Mute } from '@cspm/sdk';
import type { LinkProps } from '@tanstack/react-router';

/** The findings explorer with these filters, by their names in its address. */
export function findingsSearchLink(filters: Readonly<Record<string, unknown>>) {
  return { to: '/findings', search: filters as NonNullable<LinkProps['search']> } as const;
}

/**
 * Where the findings of a mute are. The explorer has no filter for labels and patterns: a pattern becomes a search for its
 * longest part without `*`, a label leads to all muted findings.
 */
export function mutedFindingsLink({
  fingerprint,
  selector,
}: Pick<Mute, 'fingerprint' | 'selector'>) {
  const { ruleId, project, asset } = selector ?? {};
  return findingsSearchLink({
    view: 'muted',
    ...(fingerprint === null ? {} : { fingerprint }),
    ...(ruleId === undefined ? {} : { rule: [ruleId] }),
    ...(project === undefined ? {} : { project: [project] }),
    ...assetFilter(asset),
  });
}

/** The longest text that the search of findings takes. */
const LONGEST_TEXT = 200;

function assetFilter(asset: string | undefined): Readonly<Record<string, string>> {
  if (asset === undefined) return {};
  if (!asset.includes('*')) return { asset };
  const longest = asset
    .split('*')
    .reduce((best, part) => (part.length > best.length ? part : best));
  return longest.trim() === '' ? {} : { q: longest.slice(0, LONGEST_TEXT) };
}
