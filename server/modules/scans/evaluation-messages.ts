import type { ContentKind, CustomRuleDefinition } from '@cspm/scanner';
import type { PackedFindings } from '../findings/index.ts';
import type { RulesetRule } from '../rules/index.ts';
import type { ChunkRecord } from './chunk-record.ts';
import type { RuleVerdictCounts } from './verdict-counts.ts';

/** The first message to an evaluator: everything it needs about a project's scan except the assets. */
export interface OpenRequest {
  readonly kind: 'open';
  readonly tenantId: string;
  readonly projectId: string;
  /** Built-in rules. */
  readonly rules: readonly RulesetRule[];
  /** Custom rules. */
  readonly definitions: readonly CustomRuleDefinition[];
  /** The current time as seen by rules. */
  readonly now: Date;
  readonly assetTypes: readonly { readonly type: string; readonly count: number }[];
  readonly projects: readonly string[];
  /** The kinds of content that the source of the inventory refused to show. */
  readonly refusedKinds: readonly ContentKind[];
}

/** Compressed, as stored in the inventory, in any order. */
export interface ReferencesRequest {
  readonly kind: 'references';
  readonly data: readonly Uint8Array[];
}

export interface ChunksRequest {
  readonly kind: 'chunks';
  readonly fromSeq: number;
  /** Compressed, as stored in the inventory. */
  readonly data: readonly Uint8Array[];
  /** Whether the answer must include the undecided rules. */
  readonly withUndecided: boolean;
}

/** Asks for the results of the rules for whole cloud projects. */
export interface ProjectsRequest {
  readonly kind: 'projects';
}

export type EvaluationRequest = OpenRequest | ReferencesRequest | ChunksRequest | ProjectsRequest;

/** A slice of the results, small enough to be read without delaying requests. */
export interface EvaluationPart {
  /** Ordered by rule and fingerprint across all slices of an answer. */
  readonly findings?: PackedFindings;
  readonly assetNames?: readonly string[];
  /** The next chunk. */
  readonly chunk?: ChunkRecord;
  /** Pairs of an asset and a rule. */
  readonly undecided?: readonly (readonly [assetName: string, ruleId: string])[];
}

export type EvaluationAnswer =
  | { readonly kind: 'opened' }
  | { readonly kind: 'taken' }
  | {
      readonly kind: 'evaluated';
      readonly assets: number;
      readonly verdictCounts: readonly RuleVerdictCounts[];
    }
  /** There are too many findings. The reason is for the person who launched the scan. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The evaluator of the custom rules could not be started. The reason is for the log. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** The inventory could not be read; the message is for the log. */
  | { readonly kind: 'failed'; readonly message: string };
