// What other modules may import from this one.
export type { Report, ReportedFinding } from './report.ts';
export { reportHeaders, writeReport } from './write-report.ts';
