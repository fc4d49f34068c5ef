// What other modules may import from this one, in addition to queries.ts.
export type { Comparison } from './compare.ts';
export { countChanges } from './compare-counts.ts';
export { listChanges } from './compare-page.ts';
export { deleteFindingsOf } from './delete-of-project.ts';
export { type ExpiringMutes, expiringMutes } from './expiring-mutes.ts';
export { RANK, SEVERITIES } from './finding-filter.ts';
export type { FindingPage, FindingPosition } from './finding-page.ts';
export { findingsById } from './findings-by-id.ts';
export { likeLiteral } from './like-pattern.ts';
export { mutedInScan } from './muted-in-scan.ts';
export { anyScope, hasMute, mutesOfAny } from './muting.ts';
export {
  type Delta,
  hasFindings,
  hasOpenFindings,
  isDuplicateFinding,
  observeAssets,
  observeProjects,
  type PackedFindings,
  type RecordedCount,
  type ResolvedCount,
  recordFindings,
  resolveFindings,
  type ScanOfProject,
  type SeenFinding,
} from './record.ts';
export {
  hasOtherOpenFindings,
  isAnyLeftOpen,
  type NotedFindings,
  repeatAllFindings,
  repeatFindings,
} from './repeat.ts';
export { summarise } from './summary.ts';
export { findUnseen, leaveOpen, type UnseenOn } from './unseen.ts';
export { findingView } from './view.ts';
