import { readFile } from 'node:fs/promises';
import {
  type AssetRule,
  evaluateCustomRule,
  faultsOfResults,
  parseDefinition,
  RULES,
  testedAsset,
} from '@cspm/scanner';
import { compileCustomRule, PredicateError } from '@cspm/scanner/custom';
import { parseAllDocuments } from 'yaml';
import { cannotRead } from './cannot-read.ts';
import { InputError } from './usage-error.ts';

const BUILT_IN: ReadonlySet<string> = new Set(RULES.map(({ id }) => id));

/** A rule of a file, and whether it is to be evaluated. */
interface OwnRule {
  readonly rule: AssetRule;
  readonly enabled: boolean;
}

/**
 * Reads the user's CEL rules from YAML or JSON files and runs their embedded tests. A document holds one definition or a
 * list of them.
 * @returns those that are enabled.
 * @throws {InputError} that lists every fault with its place
 */
export async function readOwnRules(files: readonly string[]): Promise<AssetRule[]> {
  const rules: OwnRule[] = [];
  const faults: string[] = [];
  for (const file of files) {
    const definitions = await definitionsIn(file);
    // A gate whose rules are missing would pass.
    if (definitions.length === 0) faults.push(`--rules: ${file} contains no rule`);
    for (const [place, value] of definitions) {
      const made = ruleOf(value);
      if ('rule' in made) rules.push(made);
      else faults.push(...made.faults.map((fault) => `${file}${place}: ${fault}`));
    }
  }
  const ids = rules.map(({ rule }) => rule.id);
  for (const id of ids) {
    // It would replace the built-in rule, whose findings would be missing.
    if (BUILT_IN.has(id))
      faults.push(`--rules: ${id} is the id of a built-in rule; choose another`);
  }
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) faults.push(`--rules: two rules have the id ${twice}`);
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return rules.flatMap(({ rule, enabled }) => (enabled ? [rule] : []));
}

/** Returns each definition with its place in the file. The place is empty if there is only one. */
async function definitionsIn(file: string): Promise<[string, unknown][]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw cannotRead('--rules', file, error);
  });
  const documents = parseAllDocuments(text);
  const broken = documents.flatMap(({ errors }) => errors);
  const [first] = broken;
  if (first !== undefined) throw new InputError(`${file}: ${first.message}`);
  const values = documents
    .flatMap((document) => document.toJS() as unknown)
    // An empty document, as after a separator at the end.
    .filter((value) => value !== null);
  return values.map((value, at) => [values.length === 1 ? '' : `, rule ${at + 1}`, value]);
}

function ruleOf(value: unknown): OwnRule | { faults: string[] } {
  const parsed = parseDefinition(value);
  if ('faults' in parsed) return { faults: parsed.faults.map(describe) };
  try {
    const rule = compileCustomRule(parsed.definition);
    const results = parsed.tests.map((test) => ({
      ...evaluateCustomRule(rule, testedAsset(test), new Date()),
      expected: test.verdict,
    }));
    const faults = faultsOfResults(results);
    return faults.length === 0
      ? { rule, enabled: parsed.enabled }
      : { faults: faults.map(describe) };
  } catch (error) {
    if (error instanceof PredicateError) return { faults: [`predicate: ${error.message}`] };
    throw error;
  }
}

function describe({ path, message }: { readonly path: string; readonly message: string }): string {
  return path === '' ? message : `${path}: ${message}`;
}
