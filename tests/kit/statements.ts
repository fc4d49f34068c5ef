import { relative } from 'node:path';
import type pg from 'pg';
import ts from 'typescript';

/** A call in the source that sends a hand-written statement to Postgres. */
export interface StatementCall {
  /** `file:line` of the call. */
  readonly place: string;
  /** The text of the statement; null: it is composed at run time. */
  readonly text: string | null;
  /** The row type that the call declares, by column; null: it declares none. */
  readonly row: DeclaredRow | null;
  /** Whether the rows are readable without a declared row type, because `pg` types them as `any`. */
  readonly untypedRowsAreAny: boolean;
}

export type DeclaredRow = ReadonlyMap<string, DeclaredColumn>;

export interface DeclaredColumn {
  /** The type as TypeScript prints it. */
  readonly type: string;
  /** The kinds of values that the type allows, without null. */
  readonly kinds: readonly Kind[];
  readonly nullable: boolean;
}

type Kind = 'string' | 'number' | 'boolean' | 'Date' | 'Buffer' | 'string[]' | 'unknown' | 'object';

/** A column as Postgres describes it. */
export interface DescribedColumn {
  readonly name: string;
  readonly type: string;
  /** Whether it is a nullable column of a table. Postgres does not report this for expressions. */
  readonly nullable: boolean;
}

/** The JavaScript type that `pg` returns for a column, by Postgres type. JSON can be any value. */
const KIND_OF: Readonly<Record<string, Kind | 'json'>> = {
  uuid: 'string',
  text: 'string',
  'character varying': 'string',
  name: 'string',
  bigint: 'string',
  numeric: 'string',
  smallint: 'number',
  integer: 'number',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  'timestamp with time zone': 'Date',
  bytea: 'Buffer',
  'text[]': 'string[]',
  'uuid[]': 'string[]',
  json: 'json',
  jsonb: 'json',
};

/**
 * Finds every call that sends a statement in the source files that the filter accepts, by path relative to the root.
 */
export function findStatementCalls(
  root: string,
  isSource: (path: string) => boolean,
): StatementCall[] {
  const paths = ts.sys.readDirectory(`${root}/server`, ['.ts'], ['**/node_modules'], undefined);
  const files = paths.filter((path) => isSource(relative(root, path)));
  const program = createProgram(files, root);
  const checker = program.getTypeChecker();
  return files.flatMap((path) => {
    const file = program.getSourceFile(path);
    return file === undefined ? [] : callsIn(file, checker, relative(root, path));
  });
}

/**
 * Loads only the files that row types need, which halves the time. Other imports have the type `any`, and a column of
 * that type is reported.
 */
function createProgram(files: readonly string[], root: string): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    typeRoots: [`${root}/node_modules/@types`],
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const cache = ts.createModuleResolutionCache(root, (path) => path, options);
  host.resolveModuleNameLiterals = (names, from, redirected, _options, file) =>
    names.map((name) => {
      const isWanted =
        /^\.|^pg$|^@cspm\/scanner$/.test(name.text) && !/\/generated\//.test(name.text);
      if (!isWanted) return { resolvedModule: undefined };
      const mode = ts.getModeForUsageLocation(file, name, options);
      return ts.resolveModuleName(name.text, from, options, host, cache, redirected, mode);
    });
  return ts.createProgram(files, options, host);
}

function callsIn(file: ts.SourceFile, checker: ts.TypeChecker, path: string): StatementCall[] {
  const calls: StatementCall[] = [];
  for (const call of callExpressionsIn(file)) {
    const sender = senderOf(call.expression, checker);
    if (sender === null) continue;
    const { line } = file.getLineAndCharacterOfPosition(call.getStart());
    const [statement] = call.arguments;
    const [row] = call.typeArguments ?? [];
    for (const text of statement === undefined ? [null] : textsOf(statement, checker)) {
      calls.push({
        place: `${path}:${line + 1}`,
        text,
        row: row === undefined ? null : columnsOf(row, checker),
        untypedRowsAreAny: sender === 'query',
      });
    }
  }
  return calls;
}

function* callExpressionsIn(file: ts.SourceFile): Generator<ts.CallExpression> {
  const nodes: ts.Node[] = [file];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (ts.isCallExpression(node)) yield node;
    // A stack: pushed in reverse, calls are visited in order.
    nodes.push(...node.getChildren(file).toReversed());
  }
}

/** The method that is called: `sql` or `sqlWithCommit` of a tenant connection, or `query` of `pg`. */
function senderOf(callee: ts.Expression, checker: ts.TypeChecker): 'sql' | 'query' | null {
  // `const { sql } = db`.
  if (ts.isIdentifier(callee)) return callee.text === 'sql' ? 'sql' : null;
  if (!ts.isPropertyAccessExpression(callee)) return null;
  const method = callee.name.text;
  if (method === 'sql' || method === 'sqlWithCommit') return 'sql';
  if (method !== 'query') return null;
  const declaredIn = checker.getSymbolAtLocation(callee)?.declarations?.[0]?.getSourceFile();
  return declaredIn?.fileName.includes('/@types/pg/') ? 'query' : null;
}

/** The possible texts of a statement: one, or for a parameter one per call of its function in the file. */
function textsOf(statement: ts.Expression, checker: ts.TypeChecker): (string | null)[] {
  const parameter = ts.isIdentifier(statement)
    ? symbolOf(statement, checker)?.valueDeclaration
    : undefined;
  if (parameter === undefined || !ts.isParameter(parameter)) {
    return [evaluate(statement, checker, new Map())];
  }
  const called = parameter.parent;
  const at = called.parameters.indexOf(parameter);
  const texts = [...callExpressionsIn(statement.getSourceFile())]
    .filter(({ expression }) => declarationOf(expression, checker) === called)
    .map(({ arguments: args }) => args[at])
    .map((value) => (value === undefined ? null : evaluate(value, checker, new Map())));
  return texts.length === 0 ? [null] : texts;
}

function declarationOf(callee: ts.Expression, checker: ts.TypeChecker): ts.Node | undefined {
  return checker.getSymbolAtLocation(callee)?.valueDeclaration;
}

/**
 * Evaluates constants, template literals, joined arrays, objects with a `text`, and calls of arrow functions that
 * return one of these.
 * @returns null for anything else.
 */
function evaluate(
  node: ts.Expression,
  checker: ts.TypeChecker,
  args: ReadonlyMap<ts.Symbol, string>,
): string | null {
  const inner = (part: ts.Expression) => evaluate(part, checker, args);
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return inner(node.expression);
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === 'text' ? inner(node.expression) : null;
  }
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) => {
      const part = inner(expression);
      return part === null ? null : part + literal.text;
    });
    return parts.includes(null) ? null : node.head.text + parts.join('');
  }
  if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) return inner(property.expression);
      const isText = ts.isPropertyAssignment(property) && property.name.getText() === 'text';
      if (isText) return inner(property.initializer);
    }
    return null;
  }
  if (ts.isIdentifier(node)) {
    const symbol = symbolOf(node, checker);
    if (symbol === undefined) return null;
    const value = constantBehind(symbol);
    return args.get(symbol) ?? (value === undefined ? null : inner(value));
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression: list, name } = node.expression;
    const [separator] = node.arguments;
    const symbol = ts.isIdentifier(list) ? symbolOf(list, checker) : undefined;
    const values = symbol && constantBehind(symbol);
    const array = values && ts.isAsExpression(values) ? values.expression : values;
    if (name.text !== 'join' || !array || !ts.isArrayLiteralExpression(array)) return null;
    const elements = array.elements.map(inner);
    const between = separator === undefined ? null : inner(separator);
    return between === null || elements.includes(null) ? null : elements.join(between);
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const symbol = symbolOf(node.expression, checker);
    const called = symbol && constantBehind(symbol);
    if (called === undefined || !ts.isArrowFunction(called) || ts.isBlock(called.body)) return null;
    const values = new Map<ts.Symbol, string>();
    for (const [at, parameter] of called.parameters.entries()) {
      const argument = node.arguments[at];
      const value = argument === undefined ? null : inner(argument);
      const parameterSymbol = checker.getSymbolAtLocation(parameter.name);
      if (value === null || parameterSymbol === undefined) return null;
      values.set(parameterSymbol, value);
    }
    return evaluate(called.body, checker, values);
  }
  return null;
}

/** The initializer of a variable. */
function constantBehind({ valueDeclaration }: ts.Symbol): ts.Expression | undefined {
  return valueDeclaration !== undefined && ts.isVariableDeclaration(valueDeclaration)
    ? valueDeclaration.initializer
    : undefined;
}

/** The symbol of a name, in the module that declares it. */
function symbolOf(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return undefined;
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function columnsOf(row: ts.TypeNode, checker: ts.TypeChecker): DeclaredRow {
  const type = checker.getTypeAtLocation(row);
  return new Map(
    checker.getPropertiesOfType(type).map((property) => {
      const column = checker.getTypeOfSymbol(property);
      const members = column.isUnion() ? column.types : [column];
      const isNull = ({ flags }: ts.Type) =>
        (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Unknown)) !== 0;
      const kinds = members
        .filter(({ flags }) => (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) === 0)
        .map((member) => kindOf(member, checker));
      return [
        property.name,
        {
          type: checker.typeToString(column),
          kinds: [...new Set(kinds)],
          nullable: members.some(isNull),
        },
      ];
    }),
  );
}

function kindOf(type: ts.Type, checker: ts.TypeChecker): Kind {
  if (type.isUnion()) {
    const [first = 'object', ...others] = new Set(type.types.map((one) => kindOf(one, checker)));
    return others.length === 0 ? first : 'object';
  }
  if (type.flags & ts.TypeFlags.StringLike) return 'string';
  if (type.flags & ts.TypeFlags.NumberLike) return 'number';
  if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if (type.flags & ts.TypeFlags.Unknown) return 'unknown';
  const name = type.symbol?.name;
  if (name === 'Date') return 'Date';
  if (name === 'Buffer' || name === 'Uint8Array') return 'Buffer';
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    if (element !== undefined && kindOf(element, checker) === 'string') return 'string[]';
  }
  return 'object';
}

/** The result columns of a statement. Postgres parses and describes it, and does not run it. */
export async function describeStatement(
  client: pg.Client,
  text: string,
): Promise<DescribedColumn[]> {
  const fields = await client.query(new Describe(text)).fields;
  const { rows } = await client.query<Omit<DescribedColumn, 'name'>>(
    `SELECT format_type(f.type, NULL) AS type, COALESCE(NOT a.attnotnull, false) AS nullable
     FROM unnest($1::oid[], $2::oid[], $3::int[]) WITH ORDINALITY AS f(type, relation, attnum, at)
     LEFT JOIN (pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p'))
       ON a.attrelid = f.relation AND a.attnum = f.attnum
     ORDER BY f.at`,
    [
      fields.map((field) => field.dataTypeID),
      fields.map((field) => field.tableID),
      fields.map((field) => field.columnID),
    ],
  );
  return fields.flatMap(({ name }, at) => (rows[at] === undefined ? [] : { name, ...rows[at] }));
}

/** Parse, Describe and Sync of the extended protocol, for which `pg` has no method. */
class Describe implements pg.Submittable {
  readonly fields: Promise<readonly pg.FieldDef[]>;
  readonly #text: string;
  #fields: readonly pg.FieldDef[] = [];
  #resolve: (fields: readonly pg.FieldDef[]) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(text: string) {
    this.#text = text;
    this.fields = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    connection.parse({ name: '', text: this.#text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  // `pg` calls these for messages from Postgres.
  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.#fields = fields;
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#fields);
  }

  handleError(error: Error): void {
    this.#reject(error);
  }
}

/** The faults in the declared row type of a statement, one line each. */
export function rowFaults(call: StatementCall, columns: readonly DescribedColumn[]): string[] {
  const { place, row } = call;
  if (row === null) {
    const readable = columns.filter(({ name, type }) => name !== '?column?' && type !== 'void');
    return call.untypedRowsAreAny && readable.length > 0
      ? [
          `${place}: declare the row type: query<{ ${readable.map(({ name }) => name).join('; ')} }>`,
        ]
      : [];
  }
  const returned = new Set(columns.map(({ name }) => name));
  const faults = [...row.keys()]
    .filter((name) => !returned.has(name))
    .map((name) => `${place}: the statement does not return the declared column ${name}`);
  for (const column of columns) {
    const declared = row.get(column.name);
    if (declared === undefined) {
      faults.push(`${place}: the row type lacks the column ${column.name} (${column.type})`);
    } else if (!fits(declared, column)) {
      const inPostgres = `${column.type}${column.nullable ? ' | null' : ''}`;
      faults.push(
        `${place}: column ${column.name} is declared as ${declared.type}, and is ${inPostgres} in Postgres`,
      );
    }
  }
  return faults;
}

function fits(declared: DeclaredColumn, column: DescribedColumn): boolean {
  if (column.nullable && !declared.nullable) return false;
  const kind = KIND_OF[column.type];
  return kind === 'json' || declared.kinds.every((one) => one === kind || one === 'unknown');
}
