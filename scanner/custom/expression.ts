import { type CelFunc, parse } from '@bufbuild/cel';
import { withoutComments } from './comments.ts';
import { ENVIRONMENT } from './environment.ts';
import { testedObject } from './member-test.ts';
import { compilePattern } from './pattern.ts';
import { PredicateError, spelled } from './predicate-error.ts';
import { isVariable, VARIABLES, type Variable } from './variables.ts';

type Parsed = ReturnType<typeof parse>;
type Expr = Parsed['expr'];

interface Call {
  readonly function: string;
  readonly target?: Expr | undefined;
  readonly args: readonly Expr[];
}

/** A valid predicate, with the fields that it reads. */
export interface Expression {
  readonly parsed: Parsed;
  readonly reads: ReadonlySet<Variable>;
  /** The paths that it names with dots or string indices, by the id of the node: `resource`, `data`, `labels`. */
  readonly paths: ReadonlyMap<bigint, readonly string[]>;
  /** The longest of these paths: none is a prefix of another. */
  readonly leaves: readonly (readonly string[])[];
}

/** The static information about a node: the kind of its value and its path; null: any kind, no path. */
interface Known {
  readonly kind: string | null;
  readonly path: readonly string[] | null;
}

/** Kinds of the variables that comprehensions define. */
type Scope = ReadonlyMap<string, string | null>;

const DEPTH_MAX = 100;
const NODES_MAX = 5000;

/** Names that stand for types, as in `type(x) == string`. */
const TYPES = 'bool bytes double int list map null_type string type uint'.split(' ');

/** Names that the evaluator provides besides functions. */
const LOGIC = ['_&&_', '_||_', '!_'];
const BUILT_IN = [...LOGIC, '@not_strictly_false', '_?_:_', '_[_]'];

const CONSTANT_KINDS: Readonly<Record<string, string>> = {
  boolValue: 'bool',
  bytesValue: 'bytes',
  doubleValue: 'double',
  int64Value: 'int',
  nullValue: 'null_type',
  stringValue: 'string',
  uint64Value: 'uint',
};

/**
 * Parses a predicate and makes the static checks that the evaluator lacks: variables and functions exist, and the
 * result can be a boolean.
 *
 * @throws {PredicateError} with the position
 */
export function parseExpression(text: string): Expression {
  const parsed = parseText(text);
  const check = new Check(text, parsed);
  check.wantBool(parsed.expr, check.visit(parsed.expr, new Map(), 1));
  const { reads, paths } = check;
  return { parsed, reads, paths, leaves: [...check.leaves.values()] };
}

function parseText(text: string): Parsed {
  try {
    return parse(withoutComments(text));
  } catch (error) {
    // The parser recurses as deep as the expression is nested.
    if (error instanceof RangeError) throw new PredicateError(text, null, 'nested too deeply');
    const { location, found } = error as {
      readonly location?: { readonly start: { readonly offset: number } };
      readonly found?: string | null;
    };
    const offset = location?.start.offset ?? null;
    if (found === null || found === '') throw new PredicateError(text, offset, 'unexpected end');
    const fault =
      found === undefined ? 'not a CEL expression' : `unexpected ${JSON.stringify(found)}`;
    throw new PredicateError(text, offset, fault);
  }
}

/** One pass over the syntax tree. */
class Check {
  readonly reads = new Set<Variable>();
  readonly paths = new Map<bigint, readonly string[]>();
  readonly leaves = new Map<bigint, readonly string[]>();
  readonly #text: string;
  readonly #parsed: Parsed;
  #nodes = 0;

  constructor(text: string, parsed: Parsed) {
    this.#text = text;
    this.#parsed = parsed;
  }

  visit(node: Expr, scope: Scope, depth: number): Known {
    this.#nodes += 1;
    if (depth > DEPTH_MAX) throw this.#fault(node, 'nested too deeply');
    if (this.#nodes > NODES_MAX) throw this.#fault(node, 'too long');
    const inside = (child: Expr | undefined) =>
      child === undefined ? UNKNOWN : this.visit(child, scope, depth + 1);
    const { exprKind } = node;
    switch (exprKind.case) {
      case 'constExpr': {
        const { constantKind } = exprKind.value;
        if (isTooLarge(constantKind)) throw this.#fault(node, 'the integer is out of range');
        return ofKind(CONSTANT_KINDS[constantKind.case ?? ''] ?? null);
      }
      case 'identExpr':
        return this.#identifier(node, exprKind.value.name, scope);
      case 'selectExpr': {
        const { operand, field, testOnly } = exprKind.value;
        const known = inside(operand);
        const path = this.#member(node, operand, known, field);
        if (testOnly && operand !== undefined) {
          exprKind.value.operand = testedObject(operand, known.path?.at(-1) ?? '');
        }
        return { kind: testOnly ? 'bool' : null, path: testOnly ? null : path };
      }
      case 'callExpr':
        return this.#call(node, exprKind.value, inside);
      case 'listExpr':
        exprKind.value.elements.forEach(inside);
        return ofKind('list');
      case 'structExpr': {
        const { messageName, entries } = exprKind.value;
        if (messageName !== '')
          throw this.#fault(node, `message types such as ${messageName} are not supported`);
        for (const { keyKind, value } of entries) {
          if (keyKind.case === 'mapKey') inside(keyKind.value);
          inside(value);
        }
        return ofKind('map');
      }
      case 'comprehensionExpr': {
        const { iterRange, iterVar, accuInit, accuVar, loopCondition, loopStep, result } =
          exprKind.value;
        inside(iterRange);
        if (isVariable(iterVar))
          throw this.#fault(node, `${iterVar} is already a variable; use another name`);
        const within = new Map([...scope, [iterVar, null], [accuVar, inside(accuInit).kind]]);
        const nested = (child: Expr | undefined) =>
          child === undefined ? UNKNOWN : this.visit(child, within, depth + 1);
        nested(loopCondition);
        nested(loopStep);
        return ofKind(nested(result).kind);
      }
      default:
        throw this.#fault(node, 'not a CEL expression');
    }
  }

  wantBool(node: Expr, { kind }: Known): void {
    if (kind === null || kind === 'bool') return;
    throw this.#fault(node, `expected a boolean, not a value of type ${kind}`);
  }

  #identifier(node: Expr, name: string, scope: Scope): Known {
    const known = scope.get(name);
    if (known !== undefined) return this.#named(node, known, [name]);
    if (isVariable(name)) {
      this.reads.add(name);
      return this.#named(node, VARIABLES[name], [name]);
    }
    if (TYPES.includes(name)) return ofKind('type');
    const variables = Object.keys(VARIABLES).join(', ');
    throw this.#fault(node, `unknown variable ${name}; available: ${variables}`);
  }

  #named(node: Expr, kind: string | null, path: readonly string[]): Known {
    this.paths.set(node.id, path);
    this.leaves.set(node.id, path);
    return { kind, path };
  }

  #member(
    node: Expr,
    operand: Expr | undefined,
    { path }: Known,
    member: string,
  ): readonly string[] | null {
    if (path === null || operand === undefined) return null;
    this.leaves.delete(operand.id);
    return this.#named(node, null, [...path, member]).path;
  }

  #call(node: Expr, call: Call, inside: (child: Expr | undefined) => Known): Known {
    const { name, target } = calleeOf(call);
    const takes = target === undefined ? null : inside(target);
    const given = call.args.map(inside);
    if (BUILT_IN.includes(name)) return this.#operator(node, name, call.args, given);
    const functions = [...(ENVIRONMENT.funcs.find(name) ?? [])];
    if (functions.length === 0) throw this.#fault(node, `unknown function ${spelled(name)}`);
    const called = functions.filter(
      (one) =>
        one.arguments.length === given.length && (one.target === undefined) === (takes === null),
    );
    if (called.length === 0)
      throw this.#fault(
        node,
        `${spelled(name)} is called with the wrong number or kind of arguments`,
      );
    const wanted = (one: CelFunc) =>
      [one.target, ...one.arguments].filter((type) => type !== undefined);
    const known = takes === null ? given : [takes, ...given];
    const fitting = called.filter((one) =>
      wanted(one).every((type, index) => mayBe(known[index] ?? UNKNOWN, type.name)),
    );
    if (fitting.length === 0) {
      const kinds = known.map(({ kind }) => kind ?? 'any').join(', ');
      throw this.#fault(node, `${spelled(name)} does not accept (${kinds})`);
    }
    if (name === 'matches') this.#pattern(call.args.at(-1));
    const results = new Set(fitting.map(({ result }) => result.name));
    const [only = null] = results;
    return ofKind(results.size === 1 && only !== 'dyn' ? only : null);
  }

  #operator(node: Expr, name: string, args: readonly Expr[], given: readonly Known[]): Known {
    if (LOGIC.includes(name)) {
      args.forEach((arg, index) => {
        this.wantBool(arg, given[index] ?? UNKNOWN);
      });
      return ofKind('bool');
    }
    const [first = UNKNOWN, second = UNKNOWN, third = UNKNOWN] = given;
    if (name === '_?_:_') return ofKind(second.kind === third.kind ? second.kind : null);
    if (name === '@not_strictly_false') return ofKind('bool');
    const key = args[1]?.exprKind;
    if (key?.case !== 'constExpr' || key.value.constantKind.case !== 'stringValue') return UNKNOWN;
    return { kind: null, path: this.#member(node, args[0], first, key.value.constantKind.value) };
  }

  #pattern(argument: Expr | undefined): void {
    const { exprKind } = argument ?? {};
    if (argument === undefined || exprKind?.case !== 'constExpr') return;
    const { constantKind } = exprKind.value;
    if (constantKind.case !== 'stringValue') return;
    try {
      compilePattern(constantKind.value);
    } catch {
      throw this.#fault(
        argument,
        'not a valid RE2 regular expression, or longer than 1,000 characters',
      );
    }
  }

  #fault(node: Expr, fault: string): PredicateError {
    const offset = this.#parsed.sourceInfo?.positions[`${node.id}`] ?? null;
    return new PredicateError(this.#text, offset, fault);
  }
}

/** Integers have 64 bits. The library's parser accepts any, and its arithmetic then compares with them. */
function isTooLarge({ case: kind, value }: { readonly case: unknown; readonly value?: unknown }) {
  if (typeof value !== 'bigint') return false;
  return value !== (kind === 'uint64Value' ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value));
}

const UNKNOWN: Known = { kind: null, path: null };

function ofKind(kind: string | null): Known {
  return kind === null ? UNKNOWN : { kind, path: null };
}

function mayBe({ kind }: Known, wanted: string): boolean {
  return kind === null || wanted === 'dyn' || wanted === kind;
}

/** `strings.quote(x)` is a function of that name, not a method of `strings`. */
function calleeOf({ function: name, target }: Call): { name: string; target: Expr | undefined } {
  const namespace = target === undefined ? null : qualifiedName(target);
  const qualified = `${namespace}.${name}`;
  if (namespace !== null && ENVIRONMENT.funcs.find(qualified) !== undefined) {
    return { name: qualified, target: undefined };
  }
  return { name, target };
}

function qualifiedName({ exprKind }: Expr): string | null {
  if (exprKind.case === 'identExpr') return exprKind.value.name;
  if (exprKind.case !== 'selectExpr' || exprKind.value.testOnly) return null;
  const parent = exprKind.value.operand && qualifiedName(exprKind.value.operand);
  return parent ? `${parent}.${exprKind.value.field}` : null;
}
