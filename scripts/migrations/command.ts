import { judge, type Migration, type Refusal } from './judge.ts';
import { RULES, type RuleId } from './rules.ts';
import { migrationsIn, Releases } from './unreleased.ts';

const USAGE = 'Usage: npm run check:migrations [-- <base: a tag, a branch or a commit>]';

const HARMS = {
  breaks: 'Breaks the version that still runs.',
  locks: 'Holds up everybody who is served.',
  strands: 'May keep a server from starting.',
  unseen: 'Cannot be judged.',
} as const;

export interface Surroundings {
  /** The root of the repository. */
  readonly root: string;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/**
 * Judges the migrations that are newer than the last release, or than a base.
 * @returns the exit code: 0, the version that runs goes on beside them; 1, it does not; 2, it could not be told.
 */
export async function checkMigrations(
  args: readonly string[],
  { root, print, printError }: Surroundings,
): Promise<0 | 1 | 2> {
  const [given, ...more] = args;
  if (more.length > 0 || given?.startsWith('-') === true) {
    printError(USAGE);
    return 2;
  }
  try {
    const releases = new Releases(root);
    const base = given ?? (await releases.last());
    if (base === null) {
      print(
        'There is no release yet (no tag v…), so no version runs that a migration could break: nothing to judge.',
      );
      return 0;
    }
    const then = await releases.migrationsAt(base);
    const now = await migrationsIn(root);
    const { added, refusals } = compared(then, now);
    refusals.push(...(await judge(then, added, await releases.outBy(base))));
    for (const refusal of refusals) print(told(refusal));
    print(summary(base, added.length, refusals.length));
    return refusals.length === 0 ? 0 : 1;
  } catch (error) {
    const { stderr } = error as { stderr?: unknown };
    const reason = error instanceof Error ? error.message : String(error);
    printError(typeof stderr === 'string' && stderr !== '' ? stderr.trim() : reason);
    return 2;
  }
}

/** What is new, and what was done to those that are applied everywhere already. */
function compared(then: readonly Migration[], now: readonly Migration[]) {
  const present = new Map(now.map(({ name, sql }) => [name, sql]));
  const known = new Set(then.map(({ name }) => name));
  const last = then.at(-1)?.name ?? '';
  const refusals: Refusal[] = [];
  const refuse = (migration: string, rule: RuleId) =>
    refusals.push({ migration, line: 0, statement: '', rule });
  for (const { name, sql } of then) {
    const text = present.get(name);
    if (text === undefined) refuse(name, 'released-removed');
    else if (text !== sql) refuse(name, 'released-changed');
  }
  const added = now.filter(({ name }) => !known.has(name));
  for (const { name } of added) if (name < last) refuse(name, 'out-of-order');
  return { added, refusals };
}

function told({ migration, line, statement, rule }: Refusal): string {
  const { harm, why, instead } = RULES[rule];
  const place = `prisma/migrations/${migration}/migration.sql${line === 0 ? '' : `:${line}`}`;
  return [
    `${place}  [${rule}]`,
    ...(statement === '' ? [] : [`    ${statement}`]),
    `  ${HARMS[harm]} ${why}`,
    `  Instead: ${instead}`,
    '',
  ].join('\n');
}

function summary(base: string, added: number, refused: number): string {
  const judged = `${added} migration${added === 1 ? '' : 's'} since ${base}`;
  return refused === 0
    ? `${judged}: the version before goes on beside them.`
    : `${judged}: ${refused} ${refused === 1 ? 'refusal' : 'refusals'}; docs/decisions/0024 says what is behind it.`;
}
