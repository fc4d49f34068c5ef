import type { Severity } from '@cspm/sdk';
import {
  choiceParam,
  choicesParam,
  listParam,
  stringifySearch,
  textParam,
} from '../../lib/search-params.ts';
import { SEVERITIES } from '../../lib/severities.ts';

export const VIEWS = ['open', 'all', 'new', 'muted', 'resolved', 'any'] as const;
export const SORTS = ['newest', 'severity', 'lastSeen'] as const;
export const GROUPS = ['rule', 'asset', 'project'] as const;
const DELTAS = ['new', 'unchanged', 'reopened', 'resolved'] as const;

export type FindingsView = (typeof VIEWS)[number];
export type Sort = (typeof SORTS)[number];
export type GroupBy = (typeof GROUPS)[number];
type Delta = (typeof DELTAS)[number];

/** What the address of the screen contains. Values at their default are left out. */
export interface FindingsSearch {
  /** The tab; left out: `open`. `all` is what is open, muted or not; `any` includes what is resolved. */
  readonly view?: Exclude<FindingsView, 'open'> | undefined;
  readonly q?: string | undefined;
  readonly severity?: readonly Severity[] | undefined;
  readonly project?: readonly string[] | undefined;
  readonly category?: readonly string[] | undefined;
  readonly assetType?: readonly string[] | undefined;
  readonly framework?: readonly string[] | undefined;
  readonly delta?: readonly Delta[] | undefined;
  readonly rule?: readonly string[] | undefined;
  readonly asset?: string | undefined;
  /** The id of one finding in any state: the tab is that of any status. */
  readonly fingerprint?: string | undefined;
  readonly scan?: string | undefined;
  readonly sort?: Exclude<Sort, 'newest'> | undefined;
  /** Groups instead of single findings. */
  readonly by?: GroupBy | undefined;
  /** The id of the finding in the panel. */
  readonly open?: string | undefined;
}

export function readSearch(raw: Record<string, unknown>): FindingsSearch {
  const view = choiceParam(raw['view'], VIEWS);
  const sort = choiceParam(raw['sort'], SORTS);
  return {
    view: view === 'open' ? undefined : view,
    q: textParam(raw['q'], 200),
    severity: choicesParam(raw['severity'], SEVERITIES),
    project: listParam(raw['project']),
    category: listParam(raw['category']),
    assetType: listParam(raw['assetType']),
    framework: listParam(raw['framework']),
    delta: choicesParam(raw['delta'], DELTAS),
    rule: listParam(raw['rule']),
    asset: textParam(raw['asset']),
    fingerprint: fingerprintParam(raw['fingerprint']),
    scan: textParam(raw['scan'], 64),
    sort: sort === 'newest' ? undefined : sort,
    by: choiceParam(raw['by'], GROUPS),
    open: textParam(raw['open'], 64),
  };
}

function fingerprintParam(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : undefined;
}

/** The filters of the API, under the names that they have there. */
export interface Filters extends Omit<FindingsSearch, 'view' | 'sort' | 'by' | 'open'> {
  readonly status?: readonly ('open' | 'resolved')[];
  readonly muted?: boolean;
}

/** The tab that applies. A single finding is shown in any state. */
export function viewOf({ view, fingerprint }: FindingsSearch): FindingsView {
  return fingerprint === undefined ? (view ?? 'open') : 'any';
}

/** The tabs are filters too. */
export function filtersOf(search: FindingsSearch): Filters {
  const { view: _view, open: _open, sort: _sort, by: _by, ...filters } = search;
  const view = viewOf(search);
  if (view === 'any') return filters;
  if (view === 'resolved') return { ...filters, status: ['resolved'] };
  if (view === 'all') return { ...filters, status: ['open'] };
  if (view === 'muted') return { ...filters, status: ['open'], muted: true };
  const open = { ...filters, status: ['open'], muted: false } as const;
  return view === 'new' ? { ...open, delta: filters.delta ?? ['new', 'reopened'] } : open;
}

/** No filter but the tab. */
export const NO_FILTERS = {
  q: undefined,
  severity: undefined,
  project: undefined,
  category: undefined,
  assetType: undefined,
  framework: undefined,
  delta: undefined,
  rule: undefined,
  asset: undefined,
  fingerprint: undefined,
  scan: undefined,
} as const satisfies FindingsSearch;

/** The search as the query string of a saved view, without the open finding. */
export function viewQuery(search: FindingsSearch): string {
  return stringifySearch({ ...search, open: undefined }).replace(/^\?/, '');
}

/** Adds a value to a list or takes it out; an empty list is undefined. */
export function toggled<T>(list: readonly T[] | undefined, value: T): readonly T[] | undefined {
  const next = list?.includes(value)
    ? list.filter((other) => other !== value)
    : [...(list ?? []), value];
  return next.length > 0 ? next : undefined;
}

export function hasFilters(search: FindingsSearch): boolean {
  return Object.keys(NO_FILTERS).some((key) => search[key as keyof FindingsSearch] !== undefined);
}
