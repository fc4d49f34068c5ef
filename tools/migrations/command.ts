import { digestOf, newestRecord, recordedVersions } from '../release/record.ts';
import { type Migration, type Refusal, refusalsOf } from './check.ts';
import { RULES, type RuleId } from './rules.ts';
import { BaseCommit, migrationsIn } from './unreleased.ts';

const USAGE = 'Usage: npm run check:migrations [-- <base: a tag, a branch or a commit>]';

const HARMS = {
  breaks: 'Breaks the version that is still running.',
  locks: 'Blocks requests while it runs.',
  strands: 'May prevent a server from starting.',
  unseen: 'Cannot be checked.',
} as const;

export interface Surroundings {
  /** The root of the repository. */
  readonly root: string;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/**
 * Checks the migrations that are newer than the last release, or than a base.
 * @returns the exit code: 0, the running version keeps working; 1, it does not; 2, the check could not run.
 */
export async function checkMigrations(
  args: readonly string[],
  { root, print, printError }: Surroundings,
): Promise<0 | 1 | 2> {
  if (args.includes('--help')) {
    print(USAGE);
    return 0;
  }
  const [given, ...more] = args;
  if (more.length > 0 || given?.startsWith('-') === true) {
    printError(USAGE);
    return 2;
  }
  try {
    const now = await migrationsIn(root);
    const base = given === undefined ? await lastRelease(root, now) : await commit(root, given);
    const { added, refusals } = compared(base.migrations, now);
    const isOut = (release: string) => base.versions.includes(release.replace(/^v/, ''));
    const before = base.migrations.flatMap(({ name, sql }) => (sql === null ? [] : { name, sql }));
    refusals.push(...(await refusalsOf(before, added, isOut)));
    for (const refusal of refusals) print(told(refusal));
    print(summary(base.name, added.length, refusals.length));
    return refusals.length === 0 ? 0 : 1;
  } catch (error) {
    const { stderr } = error as { stderr?: unknown };
    const reason = error instanceof Error ? error.message : String(error);
    printError(typeof stderr === 'string' && stderr !== '' ? stderr.trim() : reason);
    return 2;
  }
}

/** What the migrations of the working tree are compared with. */
interface Base {
  readonly name: string;
  readonly migrations: readonly BaseMigration[];
  /** The released ones, in any order. */
  readonly versions: readonly string[];
}

interface BaseMigration {
  readonly name: string;
  readonly checksum: string;
  /** Null: the migration was deleted, and a record does not keep its text. */
  readonly sql: string | null;
}

/** @throws {RecordError} when no release is recorded. */
async function lastRelease(root: string, now: readonly Migration[]): Promise<Base> {
  const record = await newestRecord(root);
  const present = new Map(now.map(({ name, sql }) => [name, sql]));
  return {
    name: record.version,
    migrations: record.migrations.map(({ name, checksum }) => ({
      name,
      checksum,
      sql: present.get(name) ?? null,
    })),
    versions: await recordedVersions(root),
  };
}

async function commit(root: string, ref: string): Promise<Base> {
  const base = new BaseCommit(root, ref);
  const migrations = await base.migrations();
  return {
    name: ref,
    migrations: migrations.map(({ name, sql }) => ({ name, sql, checksum: digestOf(sql) })),
    versions: await base.versions(),
  };
}

/** The new migrations, and the changes to released ones. */
function compared(then: readonly BaseMigration[], now: readonly Migration[]) {
  const present = new Map(now.map(({ name, sql }) => [name, sql]));
  const known = new Set(then.map(({ name }) => name));
  const last = then.at(-1)?.name ?? '';
  const refusals: Refusal[] = [];
  const refuse = (migration: string, rule: RuleId) =>
    refusals.push({ migration, line: 0, statement: '', rule });
  for (const { name, checksum } of then) {
    const text = present.get(name);
    if (text === undefined) refuse(name, 'released-removed');
    else if (digestOf(text) !== checksum) refuse(name, 'released-changed');
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
  const checked = `${added} migration${added === 1 ? '' : 's'} since ${base}`;
  return refused === 0
    ? `${checked}: the running version keeps working.`
    : `${checked}: ${refused} ${refused === 1 ? 'refusal' : 'refusals'}; docs/decisions/0024 explains them.`;
}
