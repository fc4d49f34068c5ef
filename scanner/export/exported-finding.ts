import type { Fix } from '../fixes/repair.ts';
import type { RuleMetadata, Severity } from '../rule.ts';

/**
 * A finding in an export, in the shape of the API. A scan without a service has no ids and no earlier scan: every
 * finding is open and new.
 */
export interface ExportedFinding {
  readonly id?: string;
  /** The same for the same violation of the same asset in every scan: SHA-256 in hex. */
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
  /** Present only if the asset is available. */
  readonly fix?: Fix;
}

/** Pages of findings: only one page is held in memory. */
export type FindingPages =
  | AsyncIterable<readonly ExportedFinding[]>
  | Iterable<readonly ExportedFinding[]>;

/** The description of a rule in an export of its findings. */
export type ExportedRule = Pick<
  RuleMetadata,
  'title' | 'severity' | 'category' | 'description' | 'remediation' | 'compliance' | 'noFix'
>;

/** Context of an export besides the findings. */
export interface ExportContext {
  /** Undefined: the rule no longer exists, and only the finding describes it. */
  ruleOf(ruleId: string): ExportedRule | undefined;
  /** An absolute URI with more information about a rule. If omitted: none. */
  ruleUri?(ruleId: string): string;
}
