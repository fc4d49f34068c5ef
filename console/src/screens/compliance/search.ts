import type { ComplianceReport } from '@cspm/sdk';

export const STATUSES = ['fail', 'unknown', 'manual', 'pass', 'na'] as const;

/** The last completed scan of each project, as on the dashboard. */
export const ALL_PROJECTS = 'all';

export type Status = (typeof STATUSES)[number];

/** What the address of the screen contains. Values at their default are left out. */
export interface ComplianceSearch {
  readonly framework?: ComplianceReport['framework'] | undefined;
  /** The scan that is shown, or `all`: the last completed scan of each project. Left out: the newest finished scan of a present project. */
  readonly scan?: string | undefined;
  /** Requirements with this status alone. */
  readonly status?: Status | undefined;
}
