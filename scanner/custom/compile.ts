import { isCelError, plan } from '@bufbuild/cel';
import { NO_REQUIREMENT } from '../compliance.ts';
import type { ContentKind } from '../inventory/envelope.ts';
import { fail, PASS, unknown } from '../outcome.ts';
import type { AssetRule } from '../rule.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { citeFields } from './cited-fields.ts';
import type { CustomRuleDefinition } from './definition.ts';
import { ENVIRONMENT } from './environment.ts';
import { parseExpression } from './expression.ts';
import { reasonOf } from './reason.ts';
import { type Bindings, bindingsOf } from './variables.ts';

const REASON_MAX = 300;

/**
 * Compiles a definition to a rule. A true predicate is a violation of the whole asset; one that cannot be decided,
 * because a field is missing or has an unexpected type, is UNKNOWN with that field or reason.
 *
 * The rule never throws, but may use any amount of time and memory, so untrusted rules must be evaluated in a separate
 * process.
 *
 * @throws {PredicateError} if the predicate cannot be evaluated for any asset
 */
export function compileCustomRule(definition: CustomRuleDefinition): AssetRule {
  const expression = parseExpression(definition.predicate);
  // The type does not allow errors as values of variables, but the evaluator accepts them.
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
    evaluate(asset, { time }) {
      const value = evaluate(bindingsOf(asset, time.date));
      if (value === true) return fail({ message, evidence: citeFields(expression.leaves, asset) });
      if (value === false) return PASS;
      if (isCelError(value)) {
        const reason = reasonOf(value, expression, definition.predicate);
        return unknown(sanitizeText(reason, REASON_MAX));
      }
      return unknown('the predicate does not return a boolean');
    },
  };
}
