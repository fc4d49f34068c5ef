import type { CelError } from '@bufbuild/cel';
import { isUnknownValueMessage } from '../terraform/unknown-value.ts';
import { TOO_LARGE } from './bounded-values.ts';
import type { Expression } from './expression.ts';
import { missingFieldOf } from './missing-field.ts';
import { placeIn, spelled } from './predicate-error.ts';
import { acceptedOf } from './refused-argument.ts';

/**
 * Explains why a predicate could not be decided: the missing field or the type mismatch, in our own words. The text
 * never quotes values of the asset and contains no lists, because callers split reasons at commas.
 */
export function reasonOf(error: CelError, expression: Expression, predicate: string): string {
  const { message } = error;
  // The inventory lacks the content of this variable.
  if (message === 'RESOURCE' || message === 'IAM_POLICY') return message;
  // A value that a Terraform document does not show.
  if (isUnknownValueMessage(message)) return message;
  const field = missingFieldOf(message);
  if (field !== null) return fieldIn(expression, error.exprId, field);
  const offset = expression.parsed.sourceInfo?.positions[`${error.exprId}`];
  const place = offset === undefined ? '' : `${placeIn(predicate, offset).replace(',', '')}: `;
  return `${place}${faultOf(message)}`;
}

/** The full path of the field as the predicate names it; the evaluator reports only its last segment. */
function fieldIn({ paths }: Expression, id: bigint | undefined, field: string): string {
  const own = id === undefined ? undefined : paths.get(id);
  if (own?.at(-1) === field) return own.join('.');
  const named = new Set(
    [...paths.values()].filter((path) => path.at(-1) === field).map((path) => path.join('.')),
  );
  const [only = OF_OUR_HELPERS.has(field) ? field : 'a computed member'] = named;
  return named.size > 1 ? field : only;
}

/** The fields that our helper functions read. */
const OF_OUR_HELPERS = new Set(['allowed', 'settings']);

/** The evaluator's messages may contain values of the asset; only messages without values are passed on. */
function faultOf(message: string): string {
  const accepted = acceptedOf(message);
  if (accepted !== null) return accepted;
  const types = /^found no matching overload for '(.*)' applied to '.*\((.*)\)'$/.exec(message);
  if (types !== null) {
    const kinds = `${types[2]}`.split(', ');
    const mixed = kinds.includes('double') && kinds.includes('int');
    const remedy = mixed ? ' (numbers in an inventory are doubles: write 1.0 or int(…))' : '';
    return `${spelled(`${types[1]}`)} does not accept ${kinds.join(' and ')}${remedy}`;
  }
  if (message.startsWith('index ')) return 'the index is out of range';
  if (message.startsWith('type mismatch')) return 'a value has the wrong type';
  if (/^u?int (divide|modulus) by zero$/.test(message)) return 'division by zero';
  if (/^u?int overflow during /.test(message)) return 'the integer is out of range';
  if (message === TOO_LARGE) return message;
  if (message.includes('call stack')) return 'nested too deeply';
  return 'a function does not accept the given value';
}
