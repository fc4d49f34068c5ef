import type { Evidence } from './evidence.ts';
import type { Rule, Severity, Violation } from './rule.ts';
import { storable, storableKey } from './storable.ts';

/** A finding as one evaluation yields it, without what only time can tell: since when, muted, resolved. */
export interface FindingDraft {
  readonly ruleId: string;
  readonly severity: Severity;
  readonly title: string;
  /** With rule and asset it makes the finding's identity; at most 512 characters. */
  readonly subject: string;
  /** At most 1,000 characters. */
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

const SUBJECT_MAX = 512;
const MESSAGE_MAX = 1000;

/** One finding for each subject: a policy may repeat a binding, and a repetition is nothing new. */
export function findingsOf(rule: Rule, violations: readonly Violation[]): readonly FindingDraft[] {
  const bySubject = new Map<string, FindingDraft>();
  for (const violation of violations) {
    const subject = storableKey(violation.subject ?? '', SUBJECT_MAX);
    if (bySubject.has(subject)) continue;
    bySubject.set(subject, {
      ruleId: rule.id,
      severity: violation.severity ?? rule.severity,
      title: rule.title,
      subject,
      message: storable(violation.message, MESSAGE_MAX),
      evidence: violation.evidence,
    });
  }
  return [...bySubject.values()];
}
