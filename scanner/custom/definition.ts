import type { JsonObject } from '../json.ts';
import type { Severity } from '../rule.ts';

/**
 * A rule that somebody other than us has written, in the shape of a custom module of Google's Security Health Analytics:
 * which assets it looks at, and a condition in CEL that holds where an asset violates it.
 */
export interface CustomRuleDefinition {
  readonly id: string;
  /** Counts up with every change. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly severity: Severity;
  /** The Cloud Asset Inventory types that it looks at. */
  readonly assetTypes: readonly string[];
  /** CEL (https://github.com/google/cel-spec); true: the asset violates the rule. */
  readonly predicate: string;
  /** What mends a violation. */
  readonly recommendation: string;
}

/** An asset, as an export has it, and what the rule is to say of it. */
export interface CustomRuleTest {
  readonly asset: JsonObject;
  readonly verdict: CustomVerdict;
}

/** A custom rule applies to every asset of its types: it has no `na`. */
export type CustomVerdict = 'pass' | 'fail' | 'unknown';

/** What is wrong with a definition, and where: `predicate`, `tests.0.verdict`; '' is the definition as a whole. */
export interface DefinitionFault {
  readonly path: string;
  readonly message: string;
}

/** Bounds of a definition; those of texts in UTF-16 code units. */
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

/** An id made of a title: `Bucket without an owner!` is `bucket-without-an-owner`; '' where the title has no letter or digit. */
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
