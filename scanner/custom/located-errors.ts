import { type CelFunc, celEnv, celError, isCelError } from '@bufbuild/cel';

/** CEL's standard functions whose errors lack the location in the predicate: division by zero and overflow. */
const ARITHMETIC = ['_+_', '_-_', '_*_', '_/_', '_%_', '-_', 'int', 'uint'];

const STANDARD = celEnv();

/** These functions, with errors that have their location in the predicate. They replace the standard ones. */
export function locatedArithmetic(): CelFunc[] {
  return ARITHMETIC.flatMap((name) => [...(STANDARD.funcs.find(name) ?? [])]).map((one) => {
    const call: CelFunc['call'] = (id, target, args) => {
      const result = one.call(id, target, args);
      if (!isCelError(result) || result.exprId !== undefined) return result;
      return celError(new RangeError(result.message), id);
    };
    return Object.create(one, { call: { value: call } });
  });
}
