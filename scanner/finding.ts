import type { Evidence } from './evidence.ts';
import type { Rule, Severity, Violation } from './rule.ts';
import { sanitizeKey, sanitizeText } from './sanitize-text.ts';

/** A finding of one evaluation, without its history: first seen, muted, resolved. */
export interface FindingDraft {
  readonly ruleId: string;
  readonly severity: Severity;
  readonly title: string;
  /** Identifies the finding together with rule and asset; at most 512 characters. */
  readonly subject: string;
  /** At most 1,000 characters. */
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

const SUBJECT_MAX = 512;
const MESSAGE_MAX = 1000;

/**
 * Maximum number of findings per asset: IAM allows 1,500 members in a policy, BigQuery 2,500 entries in an access list.
 */
export const FINDINGS_MAX = 2_500;
const EVIDENCE_MAX = 50;

/**
 * One finding per subject, because a policy may repeat a binding. At most 2,500 per asset; a flag tells that there are
 * more.
 */
export function findingsOf(rule: Rule, violations: readonly Violation[]): readonly FindingDraft[] {
  const bySubject = new Map<string, FindingDraft>();
  for (const violation of violations) {
    const subject = sanitizeKey(violation.subject ?? '', SUBJECT_MAX);
    if (bySubject.has(subject)) continue;
    if (bySubject.size === FINDINGS_MAX) break;
    bySubject.set(subject, {
      ruleId: rule.id,
      severity: violation.severity ?? rule.severity,
      title: rule.title,
      subject,
      message: sanitizeText(violation.message, MESSAGE_MAX),
      evidence: violation.evidence.slice(0, EVIDENCE_MAX),
    });
  }
  return [...bySubject.values()];
}
