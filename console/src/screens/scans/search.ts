import type { Scan } from '@cspm/sdk';
import { SCAN_STATUSES } from '../../parts/scan-statuses.ts';

/** What the address of the list contains. */
export interface ScansSearch {
  readonly status?: readonly Scan['status'][] | undefined;
  /** Scans of this project alone. */
  readonly project?: string | undefined;
}

export function readScansSearch(raw: Record<string, unknown>): ScansSearch {
  const given = [raw['status']].flat();
  const status = SCAN_STATUSES.filter((one) => given.includes(one));
  const [project] = [raw['project']].flat();
  return {
    status: status.length > 0 ? status : undefined,
    project: typeof project === 'string' && project !== '' ? project.slice(0, 63) : undefined,
  };
}
