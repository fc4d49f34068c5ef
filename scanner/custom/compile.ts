import { isCelError, plan } from '@bufbuild/cel';
import { NO_REQUIREMENT } from '../compliance.ts';
import type { ContentKind } from '../inventory/envelope.ts';
import { fail, PASS, unknown } from '../outcome.ts';
import type { AssetRule } from '../rule.ts';
import { storable } from '../storable.ts';
import { citeFields } from './cited-fields.ts';
import type { CustomRuleDefinition } from './definition.ts';
import { ENVIRONMENT } from './environment.ts';
import { parseExpression } from './expression.ts';
import { reasonOf } from './reason.ts';
import { type Bindings, bindingsOf } from './variables.ts';

const REASON_MAX = 300;

/**
 * Makes a rule of a definition. A predicate that is true is a violation, of the asset as a whole; one that cannot be
 * decided because a field is missing, or is not of the type that it takes it for, is UNKNOWN with that field or reason.
 *
 * The rule never throws, but it may take as long, and as much memory, as its author likes: whoever evaluates what
 * others wrote does so in a thread of its own.
 *
 * @throws {PredicateError} where the predicate cannot be evaluated whatever the asset
 */
export function compileCustomRule(definition: CustomRuleDefinition): AssetRule {
  const expression = parseExpression(definition.predicate);
  // The type knows no errors among the values of variables, but the evaluator takes them.
  const evaluate = plan(ENVIRONMENT, expression.parsed) as (bindings: Bindings) => unknown;
  const needs: ContentKind[] = [];
  if (expression.reads.has('iam_policy') || expression.reads.has('iamPolicy'))
    needs.push('IAM_POLICY');
  if (expression.reads.has('resource')) needs.push('RESOURCE');
  const { id, version, title, description, severity, assetTypes, recommendation } = definition;
  const message = description === '' ? title : description;
  return {
    id,
    version,
    title,
    severity,
    category: 'custom',
    assetTypes,
    needs,
    description,
    remediation: recommendation,
    compliance: NO_REQUIREMENT,
    parameters: {},
    evaluate(asset, { now }) {
      const value = evaluate(bindingsOf(asset, now));
      if (value === true) return fail({ message, evidence: citeFields(expression.leaves, asset) });
      if (value === false) return PASS;
      if (isCelError(value)) {
        const reason = reasonOf(value, expression, definition.predicate);
        return unknown(storable(reason, REASON_MAX));
      }
      return unknown('the predicate is neither true nor false');
    },
  };
}
