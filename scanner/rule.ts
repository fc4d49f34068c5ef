import type { Requirement } from './compliance.ts';
import type { Evidence } from './evidence.ts';
import type { Remedy } from './fixes/repair.ts';
import type { ContentKind } from './inventory/envelope.ts';
import type { Asset } from './inventory/normalise.ts';
import type { JsonObject } from './json.ts';
import type { Project } from './project.ts';
import type { RuleTime } from './rule-time.ts';
import type { Snapshot } from './snapshot.ts';

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

/** `na`: the rule does not apply to the asset. `unknown`: the inventory lacks what the rule needs. */
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

/** What a rule sees besides the asset: the current time and the other assets of the export. */
export interface SnapshotContext {
  readonly now: Date;
  readonly snapshot: Snapshot;
  /**
   * Called before each evaluation with the index of the rule in the profile, so a watchdog can name a rule that hangs.
   */
  readonly beforeRule?: (rule: number) => void;
}

export interface RuleContext extends Omit<SnapshotContext, 'now'> {
  readonly time: RuleTime;
  /** The rule's parameters as the profile sets them. */
  readonly parameters: JsonObject;
}

/** One problem of an asset. */
export interface Violation {
  /** Distinguishes the violations of one rule on one asset permanently; '' for the asset as a whole. */
  readonly subject?: string;
  /** A sentence for the person who has to fix it. */
  readonly message: string;
  readonly evidence: readonly Evidence[];
  /** If it differs from the rule's severity. */
  readonly severity?: Severity;
}

export type Outcome =
  | { readonly verdict: 'pass' | 'na' }
  | { readonly verdict: 'unknown'; readonly missing: string }
  | {
      readonly verdict: 'fail';
      readonly violations: readonly [Violation, ...Violation[]];
      /** A part of the asset is unknown and may have further violations. */
      readonly mayHaveMore?: true;
    };

/** The description of a rule, without its evaluation. */
export interface RuleMetadata {
  readonly id: string;
  /** Incremented with every change of the rule's results, so scans are comparable. */
  readonly version: number;
  readonly title: string;
  readonly severity: Severity;
  readonly category: Category;
  /** The Cloud Asset Inventory types that it checks. */
  readonly assetTypes: readonly string[];
  /** The kinds of content that it reads; without them its verdict may be `unknown`. */
  readonly needs: readonly ContentKind[];
  readonly description: string;
  readonly remediation: string;
  readonly compliance: readonly Requirement[];
  /** The parameters that a profile may set, with their defaults. */
  readonly parameters: JsonObject;
  /** How an asset that fails is repaired. Each built-in rule has either this or `noFix`. */
  readonly fix?: Remedy;
  /** Why an asset that fails cannot be repaired automatically, as a clause: `needs the name of a key`. */
  readonly noFix?: string;
}

/** A rule on one asset at a time. It never throws, and returns the same result for the same asset and context. */
export interface AssetRule extends RuleMetadata {
  /** It also checks assets of other types if the inventory has their IAM policy; otherwise it ignores them. */
  readonly looksAtEveryPolicy?: true;
  evaluate(asset: Asset, context: RuleContext): Outcome;
}

/** A rule on a whole project, such as for something that must exist. It never throws and is deterministic, too. */
export interface ProjectRule extends RuleMetadata {
  evaluateProject(project: Project, context: RuleContext): Outcome;
}

export type Rule = AssetRule | ProjectRule;
