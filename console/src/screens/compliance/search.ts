import type { ComplianceReport } from '@cspm/sdk';

export const STATUSES = ['fail', 'unknown', 'manual', 'pass', 'na'] as const;

export type Status = (typeof STATUSES)[number];

/** What the address of the screen contains. Values at their default are left out. */
export interface ComplianceSearch {
  readonly framework?: ComplianceReport['framework'] | undefined;
  /** Requirements with this status alone. */
  readonly status?: Status | undefined;
}
