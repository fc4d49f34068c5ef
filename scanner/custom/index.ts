/** Rules in CEL. A separate entry point, so the evaluator is loaded only when such rules are evaluated. */

export { compileCustomRule } from './compile.ts';
export { PredicateError } from './predicate-error.ts';
