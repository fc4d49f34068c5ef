import type { CelError } from '@bufbuild/cel';
import type { Expression } from './expression.ts';
import { missingFieldOf } from './missing-field.ts';
import { placeIn, spelled } from './predicate-error.ts';

/**
 * Why a predicate could not be decided: the field that is missing, or what does not fit, in words of our own. Values of
 * the asset are never quoted, nor are there lists in it: what is missing is told apart at commas.
 */
export function reasonOf(error: CelError, expression: Expression, predicate: string): string {
  const { message } = error;
  // The content of a variable that the inventory lacks.
  if (message === 'RESOURCE' || message === 'IAM_POLICY') return message;
  // A value of a planned resource that nobody knows yet.
  if (message.endsWith(' is known after apply only')) return message;
  const field = missingFieldOf(message);
  if (field !== null) return fieldIn(expression, error.exprId, field);
  const offset = expression.parsed.sourceInfo?.positions[`${error.exprId}`];
  const place = offset === undefined ? '' : `${placeIn(predicate, offset).replace(',', '')}: `;
  return `${place}${faultOf(message)}`;
}

/** The field as the predicate names it, where it does; the evaluator tells only the last part of it. */
function fieldIn({ paths }: Expression, id: bigint | undefined, field: string): string {
  const own = id === undefined ? undefined : paths.get(id);
  if (own?.at(-1) === field) return own.join('.');
  const named = new Set(
    [...paths.values()].filter((path) => path.at(-1) === field).map((path) => path.join('.')),
  );
  const [only = OF_OUR_HELPERS.has(field) ? field : 'a member that the predicate computes'] = named;
  return named.size > 1 ? field : only;
}

/** What they ask for themselves. */
const OF_OUR_HELPERS = new Set(['allowed', 'settings']);

/** The evaluator's words may hold values of the asset: only those of which that is not so are passed on. */
function faultOf(message: string): string {
  const types = /^found no matching overload for '(.*)' applied to '.*\((.*)\)'$/.exec(message);
  if (types !== null) {
    const kinds = `${types[2]}`.split(', ');
    const mixed = kinds.includes('double') && kinds.includes('int');
    const remedy = mixed ? ' (numbers of an inventory are doubles: write 1.0 or int(…))' : '';
    return `${spelled(`${types[1]}`)} does not take ${kinds.join(' and ')}${remedy}`;
  }
  if (message.startsWith('index ')) return 'the list is shorter';
  if (message.startsWith('type mismatch')) return 'a value is not of the type that is wanted';
  if (message.includes('call stack')) return 'nested too deeply';
  return 'a function does not take the value that it is given';
}
