import type { Level, RuleId } from './rules.ts';
import { RULES } from './rules.ts';

/** One difference between two documents. */
export interface Change {
  readonly rule: RuleId;
  readonly level: Level;
  /** `POST /scans`; `*`: the API as a whole. */
  readonly operation: string;
  /** The location in the operation: `body projects[]`, `200 items[].status`; empty: the operation as a whole. */
  readonly place: string;
  /** The change, as a sentence. */
  readonly message: string;
  /** Only of a correction: why a change that would break callers breaks none. */
  readonly corrects?: string;
}

/** Whether existing callers fail or are misled. */
export function breaks({ level, corrects }: Change): boolean {
  return level === 'breaking' && corrects === undefined;
}

/** Records a change at a location. */
export type Report = (rule: RuleId, place: string, message: string) => void;

/** Collects changes of one operation, without duplicates. */
export function reportTo(changes: Change[], operation: string): Report {
  const told = new Set<string>();
  return (rule, place, message) => {
    const key = JSON.stringify([rule, place, message]);
    if (told.has(key)) return;
    told.add(key);
    changes.push({ rule, level: RULES[rule].level, operation, place, message });
  };
}
