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

/** All checks in a fixed order; those that make no sense after an earlier failure are skipped. */
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
