import type { Requirement } from './compliance.ts';
import type { Evidence } from './evidence.ts';
import type { ContentKind } from './inventory/envelope.ts';
import type { Asset } from './inventory/normalise.ts';
import type { JsonObject } from './json.ts';
import type { Project } from './project.ts';
import type { Snapshot } from './snapshot.ts';

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

/** `na`: the rule does not apply to the asset. `unknown`: what it needs is not in the inventory. */
export type Verdict = 'pass' | 'fail' | 'na' | 'unknown';

export type Category =
  | 'iam'
  | 'kms'
  | 'logging'
  | 'network'
  | 'compute'
  | 'storage'
  | 'database'
  | 'gke'
  | 'serverless'
  | 'custom';

/** What a rule may know besides the asset: the moment that counts as now, and what else was exported. */
export interface SnapshotContext {
  readonly now: Date;
  readonly snapshot: Snapshot;
}

export interface RuleContext extends SnapshotContext {
  /** The rule's parameters as the profile sets them. */
  readonly parameters: JsonObject;
}

/** One thing that is wrong with an asset. */
export interface Violation {
  /** Tells the violations of one rule on one asset apart, for good; '' where the asset as a whole is meant. */
  readonly subject?: string;
  /** A sentence for the person who has to mend it. */
  readonly message: string;
  readonly evidence: readonly Evidence[];
  /** Where it is not that of the rule. */
  readonly severity?: Severity;
}

export type Outcome =
  | { readonly verdict: 'pass' | 'na' }
  | { readonly verdict: 'unknown'; readonly missing: string }
  | { readonly verdict: 'fail'; readonly violations: readonly [Violation, ...Violation[]] };

/** What is said of a rule, without how it judges. */
export interface RuleMetadata {
  readonly id: string;
  /** Counts up with every change of what the rule says, so that two scans can be told apart. */
  readonly version: number;
  readonly title: string;
  readonly severity: Severity;
  readonly category: Category;
  /** The Cloud Asset Inventory types that it looks at. */
  readonly assetTypes: readonly string[];
  /** The kinds of content that it reads; without them its verdict may be `unknown`. */
  readonly needs: readonly ContentKind[];
  readonly description: string;
  readonly remediation: string;
  readonly compliance: readonly Requirement[];
  /** What a profile may set, at the default. */
  readonly parameters: JsonObject;
}

/** A rule on one asset at a time. It never throws, and answers the same for the same asset and context. */
export interface AssetRule extends RuleMetadata {
  /** It looks at assets of other types too, where the inventory holds their IAM policy; else it says nothing of them. */
  readonly looksAtEveryPolicy?: true;
  evaluate(asset: Asset, context: RuleContext): Outcome;
}

/** A rule on a project as a whole, such as on something that ought to be in it. The same holds for it. */
export interface ProjectRule extends RuleMetadata {
  evaluateProject(project: Project, context: RuleContext): Outcome;
}

export type Rule = AssetRule | ProjectRule;
