/** Rules in CEL. An entry of its own, since the evaluator is loaded only where such rules are evaluated. */

export { compileCustomRule } from './compile.ts';
export { PredicateError } from './predicate-error.ts';
