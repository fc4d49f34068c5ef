import { celEnv } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { HELPERS } from './helpers.ts';
import { compilePattern } from './pattern.ts';

/** What a predicate may call: CEL's standard functions, its extension for strings, and our helpers. */
export const ENVIRONMENT = celEnv({
  funcs: [...strings, ...HELPERS],
  re2: { compile: compilePattern },
});
