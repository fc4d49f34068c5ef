import type { ContentKind, CustomRuleDefinition, Evaluation } from '@cspm/scanner';

/** An asset of a snapshot, or of a test. */
export interface AssetText {
  readonly type: string;
  /** JSON. */
  readonly text: string;
}

/** What an evaluator is started with. */
export interface StartRequest {
  readonly kind: 'start';
  readonly definitions: readonly CustomRuleDefinition[];
  readonly now: Date;
  /** Rules, by their index, that are not to be compiled any more, and why. */
  readonly givenUp: ReadonlyMap<number, string>;
}

export interface JudgeRequest {
  readonly kind: 'judge';
  readonly assets: readonly AssetText[];
  /** By `asset rule`, both by their index: evaluations that cost an evaluator already, and why. */
  readonly stopped: ReadonlyMap<string, string>;
  readonly givenUp: ReadonlyMap<number, string>;
}

/** What became of a definition. */
export interface Compiled {
  /** Null: it can be evaluated. */
  readonly fault: string | null;
  readonly needs: readonly ContentKind[];
}

export type EvaluatorRequest = StartRequest | JudgeRequest;

export type EvaluatorAnswer =
  | { readonly kind: 'started'; readonly compiled: readonly Compiled[] }
  | {
      readonly kind: 'judged';
      /** Of each asset in turn. */
      readonly evaluations: readonly (readonly Evaluation[])[];
      /** Of each rule, in milliseconds. */
      readonly spentMs: readonly number[];
    };
