import { z } from 'zod';

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

export const Severity = z
  .enum(SEVERITIES)
  .meta({ id: 'Severity', description: 'The severity, from worst to least.' });

/** A number for each severity. */
export const bySeverity = z.object({
  critical: z.int(),
  high: z.int(),
  medium: z.int(),
  low: z.int(),
  info: z.int(),
});
