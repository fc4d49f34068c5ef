import { celEnv } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { boundedAdditions, boundedTexts } from './bounded-values.ts';
import { strictConversions } from './conversions.ts';
import { HELPERS } from './helpers.ts';
import { locatedArithmetic } from './located-errors.ts';
import { TESTED_OBJECT } from './member-test.ts';
import { compilePattern } from './pattern.ts';
import { STRING_FUNCTIONS } from './string-functions.ts';
import { codePointOrder } from './string-order.ts';
import { timeFunctions } from './time-functions.ts';

/** The functions that a predicate can call: CEL's standard functions, its string extension, and our helpers. */
export const ENVIRONMENT = celEnv({
  funcs: [
    ...boundedAdditions(strictConversions(locatedArithmetic())),
    ...codePointOrder(),
    ...timeFunctions(),
    ...boundedTexts([...strings, ...STRING_FUNCTIONS]),
    ...HELPERS,
    TESTED_OBJECT,
  ],
  re2: { compile: compilePattern },
});
