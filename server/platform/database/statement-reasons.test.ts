import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import type { StatementReason } from './tenant-database.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FUNCTION = /\b(identity|jobs|partitions|cells)\.\w+\(/;
const LOCK = /\bFOR (NO KEY )?UPDATE\b|\bFOR (KEY )?SHARE\b|\bpg_(try_)?advisory_/;

/** What the text of a statement must show, by its reason. `$` followed by a brace: composed of other constants. */
const SHOWS: Readonly<Record<StatementReason, RegExp>> = {
  function: FUNCTION,
  command: /set_config\(|^\W*SET |^\W*SELECT 1\W*$/,
  lock: LOCK,
  set: /\$\{|\bWITH\b|JOIN|unnest\(|\b(count|sum|max|left)\(|ON CONFLICT|EXISTS|LIMIT|ORDER BY|DISTINCT|^\W*(DELETE|UPDATE|INSERT)\b|^\w+(\(|$)/,
  'hot path': /^/,
  operator: /^/,
};

interface FoundStatement {
  readonly place: string;
  readonly name: string;
  readonly reason: string | null;
  readonly text: string;
}

it('every hand-written statement gives the reason why Prisma Client does not send it, and its text confirms the reason', () => {
  const statements = sourcePaths().flatMap(statementsIn);
  expect(statements.length).toBeGreaterThan(100);
  expect(statements.flatMap(faultsOf)).toEqual([]);
});

it('hand-written statements with different texts have different names, under which a connection prepares them', () => {
  const textOf = new Map<string, string>();
  const shared = sourcePaths()
    .flatMap(statementsIn)
    .filter(({ name }) => /^'.+'$/.test(name))
    .filter(({ name, text }) => {
      const known = textOf.get(name) ?? text;
      textOf.set(name, known);
      return known !== text;
    });
  expect(shared).toEqual([]);
});

function sourcePaths(): string[] {
  return ts.sys
    .readDirectory(`${ROOT}/server`, ['.ts'], ['**/node_modules', '**/generated', '**/testing'])
    .filter((path) => !path.endsWith('.test.ts'));
}

/** Object literals of the type `Statement`, and those that `sql` is called with. */
function statementsIn(path: string): FoundStatement[] {
  const source = readFileSync(path, 'utf8');
  if (!/\bStatement\b/.test(source)) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: FoundStatement[] = [];
  const nodes: ts.Node[] = [file];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    nodes.push(...node.getChildren(file));
    if (!ts.isObjectLiteralExpression(node)) continue;
    const name = member(node, 'name');
    const text = member(node, 'text');
    const reason = member(node, 'reason');
    if (text === null || name === null) continue;
    if (reason === null && !isArgumentOfSql(node)) continue;
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push({
      place: `${path.slice(ROOT.length)}:${line + 1}`,
      name,
      reason: reason?.replaceAll("'", '') ?? null,
      text,
    });
  }
  return found;
}

function isArgumentOfSql({ parent }: ts.ObjectLiteralExpression): boolean {
  return ts.isCallExpression(parent) && /\bsql$/.test(parent.expression.getText());
}

function member(literal: ts.ObjectLiteralExpression, name: string): string | null {
  const property = literal.properties.find((one) => one.name?.getText() === name);
  if (property === undefined) return null;
  return ts.isPropertyAssignment(property) ? property.initializer.getText() : property.getText();
}

function faultsOf({ place, reason, text }: FoundStatement): string[] {
  if (reason === null) return [`${place}: say the reason; StatementReason lists them`];
  const shows = SHOWS[reason as StatementReason];
  if (!shows.test(text)) return [`${place}: the reason is '${reason}', but the text shows no such`];
  if (reason === 'operator' && !place.includes('administration/')) {
    return [`${place}: 'operator' is for the statements of server/administration`];
  }
  // The nearer reason is said where two hold.
  if (
    reason !== 'function' &&
    reason !== 'lock' &&
    /^\W*SELECT (\* FROM )?identity\.\w+\(/.test(text)
  ) {
    return [`${place}: the statement calls a function, so its reason is 'function'`];
  }
  return [];
}
