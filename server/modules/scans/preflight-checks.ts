import type { Check, Subject } from './preflight-check.ts';
import { coverageIam, coverageTypes, estimate } from './preflight-coverage-checks.ts';
import { baseline, conflictActive, mutesExpiring } from './preflight-history-checks.ts';
import {
  permission,
  profileKnown,
  projectDuplicate,
  projectKnown,
  quotaScans,
  rateRemaining,
} from './preflight-request-checks.ts';
import {
  sourceAttached,
  sourceFreshness,
  sourceParseable,
  sourceScope,
} from './preflight-source-checks.ts';

/** Runs all checks in a fixed order and skips those that an earlier failure makes meaningless. */
export function checksOf(subject: Subject): Check[] {
  return [
    profileKnown,
    projectKnown,
    projectDuplicate,
    sourceAttached,
    sourceParseable,
    sourceScope,
    sourceFreshness,
    coverageTypes,
    coverageIam,
    estimate,
    permission,
    quotaScans,
    rateRemaining,
    conflictActive,
    mutesExpiring,
    baseline,
  ].map((check) => check(subject));
}
