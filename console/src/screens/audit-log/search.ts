import type { AuditEventsListInput } from '@cspm/sdk';
import { choiceParam } from '../../lib/search-params.ts';
import { searchText } from '../../lib/search-text.ts';
import type { AuditAction } from './actions.ts';

const OUTCOMES = ['success', 'failure'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** What the address of the screen contains. */
export interface AuditSearch {
  /** The id of a user, or a kind of credential. */
  readonly actor?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly outcome?: Outcome | undefined;
  /** Days in the time zone of the reader, both inclusive: `2026-11-22`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function readSearch(raw: Record<string, unknown>): AuditSearch {
  return {
    actor: matching(raw['actor'], /^[A-Za-z0-9_-]{1,64}$/),
    // The API refuses an unknown action. The list of actions would make the first visit of every page larger.
    action: matching(raw['action'], /^[a-z_]{1,40}\.[a-z_]{1,40}$/) as AuditAction | undefined,
    outcome: choiceParam(raw['outcome'], OUTCOMES),
    from: day(raw['from']),
    to: day(raw['to']),
  };
}

/** The filters of the API. Days begin and end at midnight where the reader is. */
export function filtersOf({ actor, action, outcome, from, to }: AuditSearch): AuditEventsListInput {
  return {
    actor: actor === undefined ? undefined : [actor],
    action: action === undefined ? undefined : [action],
    outcome: outcome === undefined ? undefined : [outcome],
    from: from === undefined ? undefined : midnight(from, 0),
    to: to === undefined ? undefined : midnight(to, 1),
  };
}

function midnight(day: string, later: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}

/** The last day that ends in a year of four digits in every time zone, which the API requires. */
const LAST_DAY = '9999-12-30';

/** A day that exists: the browser would take 30 February as 2 March, and show an empty field. */
function day(value: unknown): string | undefined {
  const text = matching(value, /^\d{4}-\d{2}-\d{2}$/);
  if (text === undefined || text > LAST_DAY) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text) ? undefined : text;
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  const text = searchText(value);
  return text !== undefined && pattern.test(text) ? text : undefined;
}

/** Clears every filter. */
export const NO_FILTERS: Readonly<Record<keyof AuditSearch, undefined>> = {
  actor: undefined,
  action: undefined,
  outcome: undefined,
  from: undefined,
  to: undefined,
};
