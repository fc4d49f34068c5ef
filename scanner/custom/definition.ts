import type { JsonObject } from '../json.ts';
import type { Severity } from '../rule.ts';

/**
 * A user-defined rule, in the shape of a custom module of Google's Security Health Analytics: the asset types that it
 * checks, and a condition in CEL that is true if an asset violates it.
 */
export interface CustomRuleDefinition {
  readonly id: string;
  /** Incremented with every change. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly severity: Severity;
  /** The Cloud Asset Inventory types that it checks. */
  readonly assetTypes: readonly string[];
  /** A CEL expression (https://github.com/google/cel-spec); true: the asset violates the rule. */
  readonly predicate: string;
  /** How to fix a violation. */
  readonly recommendation: string;
}

/** An asset in the form of an export, and the expected verdict of the rule. */
export interface CustomRuleTest {
  readonly asset: JsonObject;
  readonly verdict: CustomVerdict;
}

/** A custom rule applies to every asset of its types: it has no `na`. */
export type CustomVerdict = 'pass' | 'fail' | 'unknown';

/** A fault in a definition and its path: `predicate`, `tests.0.verdict`; '' is the definition as a whole. */
export interface DefinitionFault {
  readonly path: string;
  readonly message: string;
}

/** Limits of a definition; lengths of strings in UTF-16 code units. */
export const DEFINITION_LIMITS = {
  title: 200,
  description: 2000,
  predicate: 5000,
  recommendation: 2000,
  assetTypes: 20,
  assetType: 200,
  tests: 50,
} as const;

export const CUSTOM_RULE_ID = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/**
 * An id derived from a title: `Bucket without an owner!` becomes `bucket-without-an-owner`; '' if the title has no
 * letter or digit.
 */
export function idFromTitle(title: string): string {
  return title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 63)
    .replace(/-+$/, '');
}
