// What other modules may import from this one.
export { backfillPosture } from './backfill.ts';
export { forgetPosture } from './forget.ts';
export { dayOf, lockPosture, type OpenCounts, openFindings, recordPosture } from './record.ts';
export { scanTrend } from './scan-trend.ts';
export { scoreOf, WEIGHTS } from './score.ts';
export { addDays } from './trend.ts';
