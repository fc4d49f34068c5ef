import type { RuleMetadata, Severity } from '../rule.ts';

/**
 * A finding as it is exported, wherever it comes from: as the API shows it. A scan without a service knows no id and no
 * scan before it: to it everything is open and new.
 */
export interface ExportedFinding {
  readonly id?: string;
  /** The same for the same fault of the same asset, from scan to scan: SHA-256 in hex. */
  readonly fingerprint: string;
  readonly ruleId: string;
  readonly title: string;
  readonly severity: Severity;
  readonly status: 'open' | 'resolved';
  readonly delta: 'new' | 'unchanged' | 'reopened' | 'resolved';
  readonly project: string;
  readonly asset: { readonly name: string; readonly type: string };
  readonly subject: string;
  readonly message: string;
  readonly evidence: readonly { readonly path: string; readonly value: unknown }[];
  readonly remediation: string;
  readonly compliance: readonly { readonly framework: string; readonly id: string }[];
  /** Times are RFC 3339 in UTC. */
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly resolvedAt: string | null;
  readonly resolvedReason: 'fixed' | 'asset_gone' | 'rule_retired' | null;
  readonly muted: { readonly reason: string; readonly expiresAt: string } | null;
}

/** Findings, some at a time: a page is held in memory, and never more. */
export type FindingPages =
  | AsyncIterable<readonly ExportedFinding[]>
  | Iterable<readonly ExportedFinding[]>;

/** What is said of a rule where findings of it are exported. */
export type ExportedRule = Pick<
  RuleMetadata,
  'title' | 'severity' | 'category' | 'description' | 'remediation' | 'compliance'
>;

/** What an export knows besides the findings. */
export interface ExportContext {
  /** Undefined: nothing is known of the rule any more, and the finding has to speak for it. */
  ruleOf(ruleId: string): ExportedRule | undefined;
  /** Where more is told of a rule: an absolute URI. Left out: nowhere. */
  ruleUri?(ruleId: string): string;
}
