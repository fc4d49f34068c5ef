import type { Severity } from '@cspm/sdk';

/** Most severe first. */
export const SEVERITIES = [
  'critical',
  'high',
  'medium',
  'low',
  'info',
] as const satisfies readonly Severity[];
