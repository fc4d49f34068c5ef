import type { AlterTableCmd, AlterTableStmt, ColumnDef, Constraint } from 'libpg-query';
import {
  constraintName,
  constraintsOf,
  holdsRows,
  newColumnRules,
  newTypeRules,
  noteColumn,
  uniqueness,
} from './columns.ts';
import { tableName, typeText, words } from './names.ts';
import type { RuleId } from './rules.ts';
import type { StatementContext } from './statement-context.ts';

/** Takes no long lock against readers or writers, and changes nothing that the running version sees. */
const HARMLESS: ReadonlySet<AlterTableCmd['subtype']> = new Set([
  'AT_DropNotNull',
  'AT_SetStatistics',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
] as const);

export function alterTableRules(statement: AlterTableStmt, context: StatementContext): RuleId[] {
  const table = tableName(statement.relation);
  if (statement.objtype !== 'OBJECT_TABLE') return ['unknown'];
  return (statement.cmds ?? []).flatMap((node) =>
    'AlterTableCmd' in node ? commandRules(table, node.AlterTableCmd, context) : [],
  );
}

function commandRules(table: string, command: AlterTableCmd, context: StatementContext): RuleId[] {
  const { known } = context;
  const isNew = known.isFresh('table', table);
  const name = command.name ?? '';
  const unlessNew = (...rules: RuleId[]) => (isNew ? [] : rules);
  switch (command.subtype) {
    case 'AT_AddColumn': {
      const column = columnOf(command);
      const found = isNew
        ? constraintsOf(column).flatMap((constraint) => holdsRows(constraint, known))
        : newColumnRules(column, known);
      noteColumn(known, table, column);
      return found;
    }
    case 'AT_AddConstraint':
      return addConstraint(table, constraintOf(command), context);
    case 'AT_ValidateConstraint':
      return !isNew && context.constrained.has(table) ? ['validated-under-lock'] : [];
    case 'AT_AlterColumnType': {
      const column = columnOf(command);
      const found = unlessNew(...newTypeRules(known.typeOf(table, name), column));
      known.hasType(table, name, typeText(column.typeName));
      return found;
    }
    case 'AT_DropColumn':
      return known.isFreshColumn(table, name) ? [] : ['column-dropped'];
    case 'AT_SetNotNull':
      return unlessNew('not-null-set');
    case 'AT_ColumnDefault':
      return command.def === undefined ? unlessNew('default-dropped') : [];
    case 'AT_DropConstraint':
      return known.isFresh('constraint', `${table}.${name}`) ? [] : unlessNew('constraint-dropped');
    case 'AT_EnableRowSecurity':
    case 'AT_ForceRowSecurity':
      return unlessNew('rows-hidden');
    case 'AT_AttachPartition':
      // Postgres scans the new partition and the default one under an exclusive lock.
      return unlessNew('table-locked');
    case 'AT_DetachPartition':
      return unlessNew('partition-detached');
    default:
      return HARMLESS.has(command.subtype) || isNew ? [] : ['unknown'];
  }
}

function addConstraint(table: string, constraint: Constraint, context: StatementContext): RuleId[] {
  const { known, constrained } = context;
  const held = holdsRows(constraint, known);
  if (known.isFresh('table', table)) return held;
  known.made('constraint', constraintName(table, constraint));
  constrained.add(table);
  const isChecked = constraint.skip_validation !== true;
  const unique = uniqueness(table, words(constraint.keys), known);
  switch (constraint.contype) {
    case 'CONSTR_CHECK':
      return isChecked ? ['check-added'] : [];
    case 'CONSTR_FOREIGN':
      return isChecked ? ['foreign-key-added', ...held] : held;
    case 'CONSTR_NOTNULL':
      return isChecked ? ['not-null-set'] : [];
    case 'CONSTR_UNIQUE':
    case 'CONSTR_PRIMARY':
      return constraint.indexname === undefined
        ? [...unique, 'index-in-transaction']
        : ['unique-added'];
    default:
      return ['unique-added', 'index-in-transaction'];
  }
}

function columnOf({ def }: AlterTableCmd): ColumnDef {
  return def !== undefined && 'ColumnDef' in def ? def.ColumnDef : {};
}

function constraintOf({ def }: AlterTableCmd): Constraint {
  return def !== undefined && 'Constraint' in def ? def.Constraint : {};
}
