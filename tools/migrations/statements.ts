import type {
  CreateFunctionStmt,
  CreateStmt,
  DropStmt,
  FuncCall,
  GrantStmt,
  IndexStmt,
  Node,
  ObjectType,
  RangeVar,
  SelectStmt,
} from 'libpg-query';
import { alterTableRules } from './alter-table.ts';
import { constraintsOf, holdsRows, nameOf, noteColumn, uniqueness } from './columns.ts';
import type { Kind, Known } from './known.ts';
import { inputTypes, qualified, signature, tableName, words } from './names.ts';
import type { RuleId } from './rules.ts';
import type { StatementContext } from './statement-context.ts';

type KindOf<T> = T extends T ? keyof T : never;
type StatementKind = KindOf<Node>;
type BodyOf<K extends StatementKind> = Extract<Node, Record<K, unknown>>[K];
type Judges = { [K in StatementKind]?: (body: BodyOf<K>, context: StatementContext) => RuleId[] };

/** The rules that a statement violates, in the current state. The effect of an unlisted statement is unknown. */
export function statementRules(statement: Node, context: StatementContext): RuleId[] {
  const [kind] = Object.keys(statement) as StatementKind[];
  const check = kind === undefined ? undefined : CHECKS[kind];
  if (kind === undefined || check === undefined) return ['unknown'];
  // Both come from the same entry, which the compiler cannot see.
  const body = (statement as Record<StatementKind, unknown>)[kind];
  return (check as (body: unknown, context: StatementContext) => RuleId[])(body, context);
}

const CHECKS: Judges = {
  CreateStmt: createTable,
  AlterTableStmt: alterTableRules,
  DropStmt: drop,
  IndexStmt: createIndex,
  CreateFunctionStmt: createFunction,
  GrantStmt: grant,
  SelectStmt: select,
  RenameStmt: ({ relation, renameType, subname }, { known }) => {
    const table = tableName(relation);
    const isFresh =
      renameType === 'OBJECT_COLUMN'
        ? known.isFreshColumn(table, subname ?? '')
        : relation !== undefined && known.isFresh('table', table);
    return isFresh ? [] : ['renamed'];
  },
  AlterObjectSchemaStmt: ({ relation }, { known }) =>
    relation !== undefined && known.isFresh('table', tableName(relation)) ? [] : ['renamed'],
  AlterEnumStmt: ({ typeName, oldVal }, { known }) =>
    oldVal === undefined || known.isFresh('type', nameOf(typeName)) ? [] : ['enum-value-gone'],
  CreatePolicyStmt: ({ table, policy_name, permissive }, { known }) => {
    known.made('policy', `${tableName(table)}.${policy_name}`);
    return permissive === true || known.isFresh('table', tableName(table)) ? [] : ['rows-hidden'];
  },
  AlterPolicyStmt: ({ table }, { known }) =>
    known.isFresh('table', tableName(table)) ? [] : ['rows-hidden'],
  UpdateStmt: ({ relation, whereClause }, { known }) => rewritten(relation, whereClause, known),
  DeleteStmt: ({ relation, whereClause }, { known }) => rewritten(relation, whereClause, known),
  InsertStmt: ({ selectStmt }) =>
    selectStmt !== undefined && 'SelectStmt' in selectStmt && selectStmt.SelectStmt.fromClause
      ? ['rows-rewritten']
      : [],
  CreateTableAsStmt: () => ['rows-rewritten'],
  TruncateStmt: ({ relations }, { known }) =>
    tablesIn(relations).every((table) => known.isFresh('table', table)) ? [] : ['rows-gone'],
  LockStmt: () => ['table-locked'],
  ClusterStmt: () => ['table-locked'],
  VacuumStmt: () => ['table-locked'],
  ReindexStmt: () => ['table-locked'],
  RefreshMatViewStmt: () => ['table-locked'],
  TransactionStmt: () => ['transaction'],
  DoStmt: () => ['opaque'],
  CallStmt: () => ['opaque'],
  CreateEnumStmt: ({ typeName }, { known }) => made(known, 'type', nameOf(typeName)),
  CreateDomainStmt: ({ domainname }, { known }) => made(known, 'type', nameOf(domainname)),
  CompositeTypeStmt: ({ typevar }, { known }) => made(known, 'type', tableName(typevar)),
  CreateSchemaStmt: ({ schemaname }, { known }) => made(known, 'schema', schemaname ?? ''),
  CreateSeqStmt: ({ sequence }, { known }) => made(known, 'sequence', tableName(sequence)),
  ViewStmt: ({ view, replace }, { known }) =>
    // Postgres itself only lets a replaced view gain columns.
    replace === true ? [] : made(known, 'view', tableName(view)),
  CreateTrigStmt: ({ relation, trigname }, { known }) =>
    made(known, 'trigger', `${tableName(relation)}.${trigname}`),
  CommentStmt: () => [],
  // Only for the transaction of the migration; a session setting would apply to later migrations too.
  VariableSetStmt: ({ is_local }) => (is_local === true ? [] : ['unknown']),
};

function made(known: Known, kind: Kind, name: string): RuleId[] {
  known.made(kind, name);
  return [];
}

function createTable(
  { relation, tableElts, partbound, inhRelations, ...rest }: CreateStmt,
  context: StatementContext,
): RuleId[] {
  const { known } = context;
  const name = tableName(relation);
  // With IF NOT EXISTS it may already exist, so it is not known to be new.
  if (rest.if_not_exists !== true) known.made('table', name);
  const parents = tablesIn(inhRelations);
  if (partbound !== undefined && !parents.every((parent) => known.isFresh('table', parent))) {
    return ['table-locked'];
  }
  return (tableElts ?? []).flatMap((node) => {
    if ('Constraint' in node) return holdsRows(node.Constraint, known);
    if (!('ColumnDef' in node)) return [];
    noteColumn(known, name, node.ColumnDef);
    return constraintsOf(node.ColumnDef).flatMap((constraint) => holdsRows(constraint, known));
  });
}

function createIndex(
  { relation, idxname, unique, concurrent, indexParams, ...rest }: IndexStmt,
  context: StatementContext,
): RuleId[] {
  const { known, isAlone } = context;
  const table = tableName(relation);
  const schema = relation?.schemaname ?? 'public';
  known.made('index', `${schema}.${idxname ?? ''}`);
  const found: RuleId[] = [];
  if (concurrent === true) found.push(...outsideTransaction(isAlone, rest.if_not_exists));
  if (known.isFresh('table', table)) return found;
  if (unique === true) found.push(...uniqueness(table, columnsOf(indexParams), known));
  // ONLY the parent of a partitioned table, which has no rows of its own.
  if (concurrent !== true && relation?.inh === true) found.push('index-in-transaction');
  return found;
}

/** Statements that the server must run outside a transaction and may have to repeat. */
function outsideTransaction(isAlone: boolean, repeatable: boolean | undefined): RuleId[] {
  if (!isAlone) return ['concurrently-with-others'];
  return repeatable === true ? [] : ['not-repeatable'];
}

function columnsOf(parameters: readonly Node[] | undefined): string[] {
  return (parameters ?? []).map((node) => ('IndexElem' in node ? (node.IndexElem.name ?? '') : ''));
}

function createFunction(statement: CreateFunctionStmt, { known }: StatementContext): RuleId[] {
  const { funcname, parameters, replace } = statement;
  // A replaced function keeps its signature; its behavior is covered by tests.
  if (replace === true) return [];
  return made(known, 'function', signature(words(funcname), inputTypes(parameters)));
}

/** The dropped object, its rule, and the name under which it was created. */
const DROPS: Partial<Record<ObjectType, { kind: Kind; rule: RuleId }>> = {
  OBJECT_TABLE: { kind: 'table', rule: 'table-dropped' },
  OBJECT_VIEW: { kind: 'view', rule: 'view-dropped' },
  OBJECT_MATVIEW: { kind: 'view', rule: 'view-dropped' },
  OBJECT_TYPE: { kind: 'type', rule: 'type-dropped' },
  OBJECT_DOMAIN: { kind: 'type', rule: 'type-dropped' },
  OBJECT_FUNCTION: { kind: 'function', rule: 'function-dropped' },
  OBJECT_PROCEDURE: { kind: 'function', rule: 'function-dropped' },
  OBJECT_ROUTINE: { kind: 'function', rule: 'function-dropped' },
  OBJECT_SCHEMA: { kind: 'schema', rule: 'schema-dropped' },
  OBJECT_SEQUENCE: { kind: 'sequence', rule: 'object-dropped' },
  OBJECT_TRIGGER: { kind: 'trigger', rule: 'object-dropped' },
  OBJECT_INDEX: { kind: 'index', rule: 'index-dropped' },
  OBJECT_POLICY: { kind: 'policy', rule: 'policy-dropped' },
};

function drop(
  { objects, removeType, concurrent, missing_ok }: DropStmt,
  { known, isAlone }: StatementContext,
): RuleId[] {
  const dropped = removeType === undefined ? undefined : DROPS[removeType];
  if (dropped === undefined) return ['object-dropped'];
  const { kind, rule } = dropped;
  const isFresh = (objects ?? []).every((object) => known.isFresh(kind, droppedName(object, kind)));
  const found: RuleId[] = [];
  if (concurrent === true) found.push(...outsideTransaction(isAlone, missing_ok));
  if (isFresh) return found;
  found.push(rule);
  if (kind === 'index' && concurrent !== true) found.push('index-in-transaction');
  return found;
}

function droppedName(object: Node, kind: Kind): string {
  if ('ObjectWithArgs' in object) {
    const { objname, objargs } = object.ObjectWithArgs;
    const types = (objargs ?? []).map((node) => ('TypeName' in node ? node.TypeName : undefined));
    return signature(words(objname), types);
  }
  if ('TypeName' in object) return qualified(words(object.TypeName.names));
  const parts = words([object]);
  if (kind === 'schema') return parts[0] ?? '';
  // Objects that belong to a table are named after it.
  const isOfTable = kind === 'policy' || kind === 'trigger';
  return isOfTable ? `${qualified(parts.slice(0, -1))}.${parts.at(-1)}` : qualified(parts);
}

function grant(
  { is_grant, targtype, objtype, objects }: GrantStmt,
  { known }: StatementContext,
): RuleId[] {
  if (is_grant === true) return [];
  const isFresh = (object: Node) =>
    objtype === 'OBJECT_FUNCTION'
      ? known.isFresh('function', droppedName(object, 'function'))
      : 'RangeVar' in object && known.isFresh('table', tableName(object.RangeVar));
  const fresh = targtype === 'ACL_TARGET_OBJECT' && (objects ?? []).every(isFresh);
  return fresh ? [] : ['rights-taken'];
}

/** Functions that may be called: every start of a server calls them, or they only affect the migration. */
const CALLABLE = ['partitions.ensure', 'public.set_config'];

function select({ targetList, fromClause }: SelectStmt): RuleId[] {
  const calls = (targetList ?? []).map((node) =>
    'ResTarget' in node && node.ResTarget.val !== undefined && 'FuncCall' in node.ResTarget.val
      ? calledName(node.ResTarget.val.FuncCall)
      : '',
  );
  return fromClause === undefined && calls.every((name) => CALLABLE.includes(name))
    ? []
    : ['opaque'];
}

function calledName({ funcname }: FuncCall): string {
  return nameOf(funcname);
}

const MAX_ROWS = 10_000;

function rewritten(table: RangeVar | undefined, where: Node | undefined, known: Known): RuleId[] {
  return known.isFresh('table', tableName(table)) || isBounded(where) ? [] : ['rows-rewritten'];
}

/** WHERE … IN (SELECT … LIMIT n) */
function isBounded(where: Node | undefined): boolean {
  if (where === undefined || !('SubLink' in where)) return false;
  const { subselect } = where.SubLink;
  const limit =
    subselect !== undefined && 'SelectStmt' in subselect ? subselect.SelectStmt.limitCount : null;
  if (limit === null || limit === undefined || !('A_Const' in limit)) return false;
  return (limit.A_Const.ival?.ival ?? Number.POSITIVE_INFINITY) <= MAX_ROWS;
}

function tablesIn(nodes: readonly Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => ('RangeVar' in node ? [tableName(node.RangeVar)] : []));
}
