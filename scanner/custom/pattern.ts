import { RE2JS } from '@bufbuild/re2';

const PATTERN_MAX = 1000;
const KEPT = 50;

const compiled = new Map<string, RE2JS>();

/**
 * The pattern of a `matches()`, in the syntax of RE2, whose engine takes a time linear in the text whatever the pattern.
 * The latest ones are kept, since a predicate asks for the same one at every asset.
 *
 * @throws {Error} where it is not a pattern, or over 1,000 characters
 */
export function compilePattern(pattern: string): { test(text: string): boolean } {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > PATTERN_MAX) throw new RangeError(`over ${PATTERN_MAX} characters`);
  const fresh = RE2JS.compile(pattern);
  const [oldest] = compiled.keys();
  if (compiled.size >= KEPT && oldest !== undefined) compiled.delete(oldest);
  compiled.set(pattern, fresh);
  return fresh;
}
