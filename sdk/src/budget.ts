import { shared } from './shared.ts';

const CAPACITY = 500;

/** Tokens for retries. Kept as plain data, since copies of this package may share it. */
export interface Budget {
  tokens: number;
}

/**
 * The budget of all clients of an origin and a credential in this process. Credentials are told apart without holding on
 * to them; two that fall together merely share a budget.
 */
export function budgetOf(origin: string, secret = ''): Budget {
  let hash = 0;
  for (const character of secret) hash = (hash * 31 + character.charCodeAt(0)) | 0;
  return shared(`${hash} ${origin}`, () => ({ tokens: CAPACITY }));
}

/** A success gives back what its retries had cost and one token more, so that health restores the budget. */
export function refund(budget: Budget, spent: number): void {
  budget.tokens = Math.min(CAPACITY, budget.tokens + spent + 1);
}
