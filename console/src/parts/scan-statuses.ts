import type { Scan } from '@cspm/sdk';

type Status = Scan['status'];

/** In the order of a scan's life. */
export const SCAN_STATUSES = [
  'queued',
  'running',
  'completed',
  'partial',
  'failed',
  'cancelled',
] as const satisfies readonly Status[];

export const STATUS_LABEL: Record<Status, string> = {
  queued: 'Queued',
  running: 'Running',
  completed: 'Completed',
  partial: 'Partial',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** Whether the scan is still to change. */
export const isActive = (status: Status): boolean => status === 'queued' || status === 'running';
