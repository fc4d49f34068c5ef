import { CelScalar, type CelValue, celFunc, isCelList, type parse } from '@bufbuild/cel';
import { missingField } from './missing-field.ts';
import { refusedArgument } from './refused-argument.ts';

type Expr = ReturnType<typeof parse>['expr'];

/** A name that no predicate can contain. */
const NAME = '@tested';

/**
 * Returns the object of which `has()` tests a member. In CEL, `has()` of a member of anything else is an error. The library returns
 * false, with which a predicate that forgets that a field is a list would be PASS for every asset.
 */
export const TESTED_OBJECT = celFunc(
  NAME,
  [CelScalar.DYN, CelScalar.STRING],
  CelScalar.DYN,
  (value: CelValue, name: string) => {
    // Null stands for an unset field.
    if (value === null) throw missingField(name);
    if (typeof value === 'object' && !isCelList(value) && !(value instanceof Uint8Array)) {
      return value;
    }
    throw refusedArgument('has() accepts a member of an object');
  },
);

/**
 * Wraps the operand of a `has()`.
 * @param name of the operand, for the reason of the verdict
 */
export function testedObject(operand: Expr, name: string): Expr {
  const constant: Expr = {
    ...operand,
    exprKind: {
      case: 'constExpr',
      value: {
        $typeName: 'cel.expr.Constant',
        constantKind: { case: 'stringValue', value: name },
      },
    },
  };
  return {
    ...operand,
    exprKind: {
      case: 'callExpr',
      value: { $typeName: 'cel.expr.Expr.Call', function: NAME, args: [operand, constant] },
    },
  };
}
