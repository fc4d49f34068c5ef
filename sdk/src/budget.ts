const CAPACITY = 500;

/** Tokens for retries. Kept as plain data, since copies of this package may share it. */
export interface Budget {
  tokens: number;
}

export function newBudget(): Budget {
  return { tokens: CAPACITY };
}

/** A success gives back what its retries had cost and one token more, so that health restores the budget. */
export function refund(budget: Budget, spent: number): void {
  budget.tokens = Math.min(CAPACITY, budget.tokens + spent + 1);
}
