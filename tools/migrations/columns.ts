import type { ColumnDef, Constraint, Node } from 'libpg-query';
import type { Known } from './known.ts';
import { qualified, tableName, typeText, words } from './names.ts';
import type { RuleId } from './rules.ts';

/** Postgres evaluates these once for the whole table; an expression evaluated per row rewrites every row. */
const ONCE = ['now', 'transaction_timestamp', 'statement_timestamp', 'current_setting'];
const NUMBERED = ['serial', 'bigserial', 'smallserial', 'serial2', 'serial4', 'serial8'];

export function constraintsOf(column: ColumnDef): Constraint[] {
  return (column.constraints ?? []).flatMap((node) =>
    'Constraint' in node ? [node.Constraint] : [],
  );
}

/** The effect of a new column on an existing table. */
export function newColumnRules(column: ColumnDef, known: Known): RuleId[] {
  const constraints = constraintsOf(column);
  const given = (type: Constraint['contype']) =>
    constraints.find(({ contype }) => contype === type);
  const initial = given('CONSTR_DEFAULT')?.raw_expr;
  const numbered = NUMBERED.includes(words(column.typeName?.names).at(-1) ?? '');
  const found: RuleId[] = [];
  const computed = given('CONSTR_IDENTITY') ?? given('CONSTR_GENERATED');
  if (numbered || computed !== undefined || (initial !== undefined && !isSettled(initial))) {
    found.push('table-rewritten');
  }
  const filled = numbered || computed !== undefined || (initial !== undefined && !isNull(initial));
  if (given('CONSTR_NOTNULL') !== undefined && !filled) found.push('not-null-without-default');
  if (given('CONSTR_PRIMARY') !== undefined || given('CONSTR_UNIQUE') !== undefined) {
    found.push('unique-added');
  }
  if (given('CONSTR_CHECK') !== undefined) found.push('check-added');
  const reference = given('CONSTR_FOREIGN');
  if (reference !== undefined) found.push('foreign-key-added', ...holdsRows(reference, known));
  return found;
}

/** A foreign key to an existing table must not prevent the running version from deleting rows. */
export function holdsRows(constraint: Constraint, known: Known): RuleId[] {
  if (constraint.contype !== 'CONSTR_FOREIGN') return [];
  const cedes = ['c', 'n', 'd'].includes(constraint.fk_del_action ?? 'a');
  return cedes || known.isFresh('table', tableName(constraint.pktable))
    ? []
    : ['foreign-key-holds-rows'];
}

/** The running version leaves a new column null, and nulls do not violate a unique constraint. */
export function uniqueness(table: string, columns: readonly string[], known: Known): RuleId[] {
  return columns.some((column) => known.isFreshColumn(table, column)) ? [] : ['unique-added'];
}

/** Whether an expression has the same value for all rows. Unknown expressions count as different. */
function isSettled(node: Node): boolean {
  if ('A_Const' in node || 'SQLValueFunction' in node) return true;
  if ('TypeCast' in node) return node.TypeCast.arg === undefined || isSettled(node.TypeCast.arg);
  if ('A_ArrayExpr' in node) return (node.A_ArrayExpr.elements ?? []).every(isSettled);
  if ('FuncCall' in node) {
    const { funcname, args } = node.FuncCall;
    return ONCE.includes(words(funcname).at(-1) ?? '') && (args ?? []).every(isSettled);
  }
  if ('A_Expr' in node) {
    const { lexpr, rexpr } = node.A_Expr;
    return [lexpr, rexpr].every((side) => side === undefined || isSettled(side));
  }
  return false;
}

function isNull(node: Node): boolean {
  if ('A_Const' in node) return node.A_Const.isnull === true;
  return 'TypeCast' in node && node.TypeCast.arg !== undefined && isNull(node.TypeCast.arg);
}

/** Type changes that need no table scan and accept every old value. */
export function newTypeRules(from: string | null, column: ColumnDef): RuleId[] {
  const to = typeText(column.typeName);
  if (column.raw_default !== undefined) return ['type-narrowed'];
  if (from === null) return ['type-narrowed'];
  if (from === to || isWider(from, to)) return [];
  return GROWING.some(([small, large]) => small === from && large === to)
    ? ['table-rewritten']
    : ['type-narrowed'];
}

/** Every value fits, but each row is rewritten. */
const GROWING = [
  ['int2', 'int4'],
  ['int2', 'int8'],
  ['int4', 'int8'],
  ['float4', 'float8'],
] as const;

function isWider(from: string, to: string): boolean {
  const [old, next] = [partsOf(from), partsOf(to)];
  if (old.name === 'varchar' && to === 'text') return true;
  if (old.name !== next.name || !['varchar', 'timestamptz', 'timestamp'].includes(old.name)) {
    return false;
  }
  return next.size === null || (old.size !== null && next.size >= old.size);
}

function partsOf(type: string): { name: string; size: number | null } {
  const [, name = type, size] = /^(\w+)\((\d+)\)$/.exec(type) ?? [];
  return { name, size: size === undefined ? null : Number(size) };
}

/** Records the constraints that a table or ALTER TABLE adds. */
export function noteColumn(known: Known, table: string, column: ColumnDef): void {
  known.made('column', `${table}.${column.colname}`);
  known.hasType(table, column.colname ?? '', typeText(column.typeName));
}

export function constraintName(table: string, constraint: Constraint | undefined): string {
  return `${table}.${constraint?.conname ?? ''}`;
}

export function nameOf(parts: readonly Node[] | undefined): string {
  return qualified(words(parts));
}
