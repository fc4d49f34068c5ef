import type { LogFilter } from '../log-filter/filter.ts';
import { demandsOf, type LogEntry, matches } from '../log-filter/match.ts';
import { every, some, type Ternary } from '../log-filter/ternary.ts';

/** A kind of change that should raise an alert, described by its log entries. */
export interface AuditedChange {
  /** Clauses that a filter must require, each in one of several forms. */
  readonly clauses: readonly (readonly Clause[])[];
  /** Sample log entries that a filter must match, each in one of several forms. */
  readonly events: readonly (readonly LogEntry[])[];
}

export interface Clause {
  /** In lower case; null for a text that is searched in all fields. */
  readonly field: string | null;
  /** As the log has it. Null if the filter only needs to name the field, or one below it. */
  readonly value: string | null;
}

/**
 * Whether a filter counts every change of one of these kinds: it requires all of the clauses, and matches every sample
 * event. The clauses rule out filters that match everything; the events accept all ways to write a filter, and reveal
 * conditions that such entries do not meet. Null if that depends on a regular expression that is not evaluated.
 */
export function countsEvery(parsed: LogFilter, changes: readonly AuditedChange[]): Ternary {
  const demands = demandsOf(parsed);
  return some(changes, ({ clauses, events }) => {
    const asksForAll = every(clauses, (forms) =>
      some(forms, (clause) => some(demands, (demand) => asksFor(demand, clause))),
    );
    if (asksForAll === false) return false;
    const matchesAll = every(events, (forms) => some(forms, (entry) => matches(parsed, entry)));
    return matchesAll === true ? asksForAll : matchesAll;
  });
}

function asksFor(demand: LogFilter, clause: Clause): Ternary {
  const { field, value } = clause;
  if (field === null) {
    return demand.kind === 'comparison' ? false : matches(demand, entryOf(clause));
  }
  if (demand.kind !== 'comparison' || demand.operator.startsWith('!')) return false;
  if (value === null) return demand.field === field || demand.field.startsWith(`${field}.`);
  return demand.value === '*' ? false : matches(demand, entryOf(clause));
}

/** Clauses are constants, which are compared with each term of each filter. */
const ENTRIES = new WeakMap<Clause, LogEntry>();

/** An entry with the value of a clause alone. */
function entryOf(clause: Clause): LogEntry {
  const known = ENTRIES.get(clause);
  if (known !== undefined) return known;
  const entry = new Map([[clause.field ?? '', clause.value ?? '']]);
  ENTRIES.set(clause, entry);
  return entry;
}
