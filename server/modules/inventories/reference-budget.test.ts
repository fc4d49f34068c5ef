import { describe, expect, it } from 'vitest';
import {
  REFERENCE_CHARACTERS_MAX,
  REFERENCES_MAX,
  ReferenceBudget,
  TooManyReferences,
} from './reference-budget.ts';

const TYPE = 'logging.googleapis.com/LogMetric';

describe('an inventory is refused with 413 and the type', () => {
  it('an inventory with more reference assets than a scan can hold is refused with 413 and the asset type', () => {
    const budget = new ReferenceBudget();
    for (let count = 0; count < REFERENCES_MAX; count += 1) budget.spend(TYPE, '{}');
    expect(() => budget.spend(TYPE, '{}')).toThrow(/more than 100000 of them.*LogMetric/);
  });

  it('an inventory with reference assets that are too large in total is refused with 413 and the asset type', () => {
    const budget = new ReferenceBudget();
    const quarter = 'x'.repeat(REFERENCE_CHARACTERS_MAX / 4);
    for (let count = 0; count < 4; count += 1) budget.spend(TYPE, quarter);
    expect(() => budget.spend(TYPE, 'x')).toThrow(TooManyReferences);
  });
});
