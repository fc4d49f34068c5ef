import type { ComparedFinding, Severity } from '@cspm/sdk';
import { choiceParam, choicesParam, textParam } from '../../lib/search-params.ts';
import { SEVERITIES } from '../../ui/Severity.tsx';

export const CHANGES = ['new', 'resolved', 'reopened', 'unchanged'] as const;

export type Change = ComparedFinding['change'];

/** What the address of a comparison contains. */
export interface CompareSearch {
  /** The id of the earlier scan; left out: the person is asked for it. */
  readonly with?: string | undefined;
  readonly change?: Change | undefined;
  readonly severity?: readonly Severity[] | undefined;
}

export function readCompareSearch(raw: Record<string, unknown>): CompareSearch {
  return {
    with: textParam(raw['with'], 36),
    change: choiceParam(raw['change'], CHANGES),
    severity: choicesParam(raw['severity'], SEVERITIES),
  };
}
