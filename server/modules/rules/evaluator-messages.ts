import type { ContentKind, CustomRuleDefinition, Evaluation } from '@cspm/scanner';

/** An asset of an inventory or of a test. */
export interface AssetText {
  readonly type: string;
  /** JSON. */
  readonly text: string;
}

/** The first message to an evaluator. */
export interface StartRequest {
  readonly kind: 'start';
  readonly definitions: readonly CustomRuleDefinition[];
  readonly now: Date;
  /** Rules that must not be compiled again, by index, with the reason. */
  readonly givenUp: ReadonlyMap<number, string>;
}

export interface EvaluateRequest {
  readonly kind: 'evaluate';
  readonly assets: readonly AssetText[];
  /** Evaluations that already killed an evaluator, by `asset rule` (both indexes), with the reason. */
  readonly stopped: ReadonlyMap<string, string>;
  readonly givenUp: ReadonlyMap<number, string>;
}

/** The compile result of a definition. */
export interface Compiled {
  /** Null when the rule compiled. */
  readonly fault: string | null;
  readonly needs: readonly ContentKind[];
}

export type EvaluatorRequest = StartRequest | EvaluateRequest;

export type EvaluatorAnswer =
  | { readonly kind: 'started'; readonly compiled: readonly Compiled[] }
  | {
      readonly kind: 'evaluated';
      /** For each asset, in order. */
      readonly evaluations: readonly (readonly Evaluation[])[];
      /** For each rule, in milliseconds. */
      readonly spentMs: readonly number[];
    };
