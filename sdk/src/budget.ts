const CAPACITY = 500;

/** What a retry costs: after a 429, which the server answers cheaply, less than after a failure. */
export const RETRY_COST = { throttled: 5, transient: 14 } as const;

/** Tokens for retries. Kept as plain data, since copies of this package may share it. */
export interface Budget {
  tokens: number;
}

export function newBudget(): Budget {
  return { tokens: CAPACITY };
}

/** Takes the cost of a retry; false: the budget is spent, and the retry must not be made. */
export function spend(budget: Budget, cost: number): boolean {
  if (budget.tokens < cost) return false;
  budget.tokens -= cost;
  return true;
}

/** A success gives back what its retries had cost and one token more, so that health restores the budget. */
export function refund(budget: Budget, spent: number): void {
  budget.tokens = Math.min(CAPACITY, budget.tokens + spent + 1);
}
