import { type ParseResult, parse } from 'libpg-query';
import { Known } from './known.ts';
import { RULES, type RuleId } from './rules.ts';
import { statementRules } from './statements.ts';

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export interface Refusal {
  readonly migration: string;
  /** Counted from 1; 0: the migration as a whole. */
  readonly line: number;
  /** The statement on one line, truncated. */
  readonly statement: string;
  readonly rule: RuleId;
}

/** A migration that Postgres could not parse either. */
export class UnreadableMigration extends Error {
  override readonly name = 'UnreadableMigration';
}

/**
 * Checks the effect of this release's migrations on the version that is still running.
 * @param released the migrations that are applied wherever it runs, in order
 * @param isOut whether a contract line names a published release
 * @throws {UnreadableMigration} that names file and line of invalid SQL.
 */
export async function refusalsOf(
  released: readonly Migration[],
  added: readonly Migration[],
  isOut: (release: string) => boolean,
): Promise<Refusal[]> {
  const known = new Known();
  for (const migration of released) await checkMigration(migration, known, isOut);
  known.beginRelease();
  const refusals: Refusal[] = [];
  for (const migration of added) refusals.push(...(await checkMigration(migration, known, isOut)));
  return refusals;
}

async function checkMigration(
  { name, sql }: Migration,
  known: Known,
  isOut: (release: string) => boolean,
): Promise<Refusal[]> {
  const statements = await statementsOf(name, sql);
  const context = { known, isAlone: statements.length === 1, constrained: new Set<string>() };
  return statements.flatMap(({ node, text, line, contract }) => {
    const found = [...new Set(statementRules(node, context))];
    const lifts = found.some((rule) => RULES[rule].harm === 'breaks');
    const left = found.filter((rule) => contract === null || RULES[rule].harm !== 'breaks');
    if (contract !== null && !lifts) left.push('contract-for-nothing');
    if (contract !== null && lifts && !isOut(contract)) left.push('contract-too-early');
    return left.map((rule) => ({ migration: name, line, statement: shortened(text), rule }));
  });
}

/** The last release that still needs the removed object, and the reason. */
const CONTRACT = /^-- contract: (\S+): \S.*$/m;

async function statementsOf(name: string, sql: string) {
  // The parser counts positions in bytes.
  const bytes = Buffer.from(sql);
  const between = (from: number, to: number) => bytes.subarray(from, to).toString('utf8');
  let end = 0;
  return ((await parsed(name, sql)).stmts ?? []).flatMap((raw) => {
    const from = raw.stmt_location ?? 0;
    const before = between(end, from);
    end = raw.stmt_len === undefined ? bytes.length : from + raw.stmt_len;
    if (raw.stmt === undefined) return [];
    const contract = CONTRACT.exec(before)?.[1] ?? null;
    return [{ node: raw.stmt, text: between(from, end), line: lineAt(between(0, from)), contract }];
  });
}

async function parsed(name: string, sql: string): Promise<ParseResult> {
  try {
    return await parse(sql);
  } catch (error) {
    const details = error instanceof Error && 'sqlDetails' in error ? error.sqlDetails : undefined;
    const { cursorPosition } = (details ?? {}) as { cursorPosition?: number };
    const line = lineAt(
      Buffer.from(sql)
        .subarray(0, cursorPosition ?? 0)
        .toString('utf8'),
    );
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadableMigration(`${name}:${line}: ${reason}`, { cause: error });
  }
}

function lineAt(before: string): number {
  return before.split('\n').length;
}

const LONGEST = 100;

function shortened(statement: string): string {
  const line = statement.replaceAll(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`;
}
