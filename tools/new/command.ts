import { parseArgs } from 'node:util';
import { Draft, FILL_IN, Misuse } from './draft.ts';
import { newEndpoint } from './endpoint.ts';
import type { Options } from './options.ts';
import { newRule } from './rule.ts';
import { newTable } from './table.ts';

const USAGE = `Usage: npm run new -- rule <id> [--type <asset type>] [--member <path>]
       npm run new -- endpoint <resource>.<operation> [--method GET] [--path /mutes/:id] [--audit mute.deleted]
       npm run new -- table <name> --module <module>

rule        for example: npm run new -- rule bucket-soft-delete --member softDeletePolicy.retentionDurationSeconds
endpoint    for example: npm run new -- endpoint mutes.get
table       for example: npm run new -- table scan_labels --module scans

CONTRIBUTING.md describes what to do afterwards.`;

export interface Surroundings {
  readonly root: string;
  readonly now: Date;
  /** Formats files that were written. */
  format(files: readonly string[]): Promise<void>;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** Adds the files of a rule, an endpoint or a table to a draft, and returns the next steps. */
export type Recipe = (draft: Draft, name: string, options: Options, now: Date) => readonly string[];

/** The options that each kind accepts. */
const KINDS: Readonly<Record<string, { recipe: Recipe; options: readonly string[] }>> = {
  rule: { recipe: newRule, options: ['type', 'member'] },
  endpoint: { recipe: newEndpoint, options: ['method', 'path', 'audit'] },
  table: { recipe: newTable, options: ['module'] },
};

/**
 * Writes the files of a new rule, endpoint or table.
 * @returns the exit code: 0, written; 2, wrong arguments, and nothing was written.
 */
export async function scaffold(args: readonly string[], at: Surroundings): Promise<0 | 2> {
  if (args.includes('--help')) {
    at.print(USAGE);
    return 0;
  }
  try {
    const { recipe, name, options } = parse(args);
    const draft = new Draft(at.root);
    const steps = recipe(draft, name, options, at.now);
    await draft.write();
    await at.format([...draft.created, ...draft.edited].filter((file) => file.endsWith('.ts')));
    for (const file of draft.created) at.print(`created  ${file}`);
    for (const file of draft.edited) at.print(`edited   ${file}`);
    at.print(`\nNext, replace every ${FILL_IN}:`);
    steps.forEach((step, index) => {
      at.print(`${index + 1}. ${step}`);
    });
    return 0;
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    at.printError(error.message);
    return 2;
  }
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  let parsed: { values: Options; positionals: string[] };
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { type: text, member: text, method: text, path: text, audit: text, module: text },
    });
  } catch (error) {
    throw new Misuse(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
  const { values, positionals } = parsed;
  const [kindName = '', name = '', ...surplus] = positionals;
  const kind = Object.hasOwn(KINDS, kindName) ? KINDS[kindName] : undefined;
  if (kind === undefined || name === '' || surplus.length > 0) throw new Misuse(USAGE);
  const foreign = Object.keys(values).find((option) => !kind.options.includes(option));
  if (foreign !== undefined) {
    throw new Misuse(`--${foreign} is not an option of ${kindName}.\n${USAGE}`);
  }
  return { recipe: kind.recipe, name, options: values };
}
