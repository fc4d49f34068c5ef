import { type LogFilter, parseLogFilter } from '../log-filter/filter.ts';
import { demandsOf, type LogEntry, matches } from '../log-filter/match.ts';

/** A kind of change that ought to raise an alarm, by the log entries that it leaves. */
export interface AuditedChange {
  /** What a filter has to ask for, in so many words, each in one of its forms. */
  readonly clauses: readonly (readonly Clause[])[];
  /** What a filter has to let through, each in one of its forms. */
  readonly events: readonly (readonly LogEntry[])[];
}

export interface Clause {
  /** In lower case; null for a text that is looked for in all fields. */
  readonly field: string | null;
  /** Null where it is enough that the filter asks for the field, or for something below it. */
  readonly value: string | null;
}

/**
 * Whether a filter counts every change of one of these kinds: it asks for all of the clauses, and lets every event
 * through. The former tells a filter that means it from one that lets everything through; the latter sees through the
 * ways to write it, and sees what else the filter asks for that such entries do not have.
 */
export function countsEvery(filter: string, changes: readonly AuditedChange[]): boolean {
  const parsed = parseLogFilter(filter);
  if (parsed === null) return false;
  const demands = demandsOf(parsed);
  return changes.some(
    ({ clauses, events }) =>
      clauses.every((forms) =>
        forms.some((clause) => demands.some((demand) => asksFor(demand, clause))),
      ) && events.every((forms) => forms.some((entry) => matches(parsed, entry))),
  );
}

function asksFor(demand: LogFilter, { field, value }: Clause): boolean {
  if (field === null) {
    return demand.kind !== 'comparison' && matches(demand, new Map([['', value ?? '']]));
  }
  if (demand.kind !== 'comparison' || demand.operator.startsWith('!')) return false;
  if (value === null) return demand.field === field || demand.field.startsWith(`${field}.`);
  return demand.value !== '*' && matches(demand, new Map([[field, value]]));
}
