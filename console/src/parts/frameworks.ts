import type { ComplianceReport } from '@cspm/sdk';

/** The benchmarks that scans are measured by, the newest first. */
export const FRAMEWORKS = [
  'cis-gcp-5.0',
  'cis-gcp-4.0',
  'cis-gcp-2.0',
] as const satisfies readonly ComplianceReport['framework'][];

export type Framework = (typeof FRAMEWORKS)[number];
