// The same for the compliance of a scan.
import { z } from 'zod';

export const ScanParams = z.object({ id: z.uuid() });

const framework = z.enum(['cis-gcp-2.0', 'cis-gcp-4.0', 'cis-gcp-5.0']);

export const ComplianceQuery = z.object({ framework: framework.default('cis-gcp-4.0') });

const RuleCount = z.object({
  ruleId: z.string(),
  pass: z.int(),
  fail: z.int(),
  na: z.int(),
  unknown: z.int(),
  missing: z.array(z.string()),
});

export const ComplianceReport = z.object({
  framework,
  scan: z.uuid(),
  summary: z.object({
    pass: z.int(),
    fail: z.int(),
    unknown: z.int(),
    na: z.int(),
    manual: z.int(),
  }),
  requirements: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      section: z.string(),
      assessment: z.enum(['automated', 'manual']),
      status: z.enum(['pass', 'fail', 'unknown', 'na', 'manual']),
      rules: z.array(RuleCount),
    }),
  ),
});

export type ScanParams = z.output<typeof ScanParams>;
export type ComplianceQuery = z.output<typeof ComplianceQuery>;
export type RuleCount = z.output<typeof RuleCount>;
export type ComplianceReport = z.output<typeof ComplianceReport>;
