import type { Known } from './known.ts';

export interface StatementContext {
  readonly known: Known;
  /** Whether the migration has no other statement. */
  readonly isAlone: boolean;
  /** Tables that get a constraint in this migration. */
  readonly constrained: Set<string>;
}
