import { csvLine } from '@cspm/scanner';
import type { Report } from './report.ts';
import { evidenceOf } from './report-text.ts';

const COLUMNS = [
  'framework',
  'requirement',
  'title',
  'section',
  'assessment',
  'status',
  'passed',
  'failed',
  'notApplicable',
  'undecided',
  'rules',
  'missing',
  'scan',
];

/** The requirements of the framework as CSV (RFC 4180), in the order of the framework. */
export async function* csvReport({ compliance, scan }: Report) {
  yield csvLine(COLUMNS);
  for (const requirement of compliance.requirements) {
    const evidence = evidenceOf(requirement);
    yield csvLine([
      compliance.framework,
      requirement.id,
      requirement.title,
      requirement.section,
      requirement.assessment,
      requirement.status,
      String(evidence.pass),
      String(evidence.fail),
      String(evidence.na),
      String(evidence.unknown),
      requirement.rules.map(({ ruleId }) => ruleId).join('; '),
      evidence.missing.join('; '),
      scan.id,
    ]);
  }
}
