import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorView } from '@codemirror/view';
import {
  FUNCTIONS,
  MACROS,
  METHODS,
  type Named,
  RESERVED,
  STRING_METHODS,
  VARIABLES,
} from './language.ts';

/** A member of the assets that a rule applies to. */
export interface Field {
  /** Names from `resource.data` in; `[]` stands for the elements of a list. */
  readonly path: readonly string[];
  readonly kinds: readonly string[];
  /** Where it was found: `9 of 12`. */
  readonly found: string;
}

/** Members that are the same for every asset. */
const FIXED: readonly (readonly [path: string, kind: string])[] = [
  ['asset.name', 'string'],
  ['asset.type', 'string'],
  ['asset.ancestors', 'list'],
  ['iam_policy.bindings', 'list'],
  ['iam_policy.bindings.[].role', 'string'],
  ['iam_policy.bindings.[].members', 'list'],
  ['iam_policy.bindings.[].condition', 'object'],
  ['iam_policy.bindings.[].condition.expression', 'string'],
  ['iam_policy.bindings.[].condition.title', 'string'],
  ['iam_policy.auditConfigs', 'list'],
];

const ELEMENT = '[]';
/** A member name that can stand after a dot. */
const PLAIN_NAME = /^[A-Za-z_]\w*$/;
const PATH = /([A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\["[^"\\\n]*"\]|\[\d+\])*)\.(\w*)$/;
/** How much text before the cursor is looked at. */
const LOOK_BACK = 2_000;

/** Offers what can stand at the cursor: members of the asset after a dot, variables and functions elsewhere. */
export function completeWith(fields: () => readonly Field[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    if (/string|comment/.test(node.name)) return null;
    const before = context.state.sliceDoc(Math.max(0, context.pos - LOOK_BACK), context.pos);
    const member = PATH.exec(before);
    if (member !== null) {
      const [, base = '', typed = ''] = member;
      const known = fields();
      return {
        from: context.pos - typed.length,
        options: membersOf(pathOf(base, before), known, before),
        // When fields have been loaded meanwhile, the list must be computed again.
        validFor: (text) => /^\w*$/.test(text) && fields() === known,
      };
    }
    // After a call, such as `x.split(",").`: the kind of its value is unknown.
    const after = /[)\]]\.(\w*)$/.exec(before);
    if (after !== null) {
      return { from: context.pos - (after[1] ?? '').length, options: methodsOf(null) };
    }
    const word = /[A-Za-z_]\w*$/.exec(before);
    if (word === null && !context.explicit) return null;
    return {
      from: context.pos - (word?.[0].length ?? 0),
      options: [...loopVariables(before), ...VARIABLE_OPTIONS, ...FUNCTION_OPTIONS],
      validFor: /^\w*$/,
    };
  };
}

/** Where a written path leads, from a variable in: `x` in `list.exists(x, x.` is an element of the list. */
function pathOf(written: string, before: string, depth = 0): readonly string[] {
  const steps = [...written.matchAll(/\["([^"]*)"\]|\[(\d+)\]|[A-Za-z_]\w*/g)].map(
    ([text, key, index]) => key ?? (index === undefined ? text : ELEMENT),
  );
  const [first = '', ...rest] = steps;
  const list = depth > 4 ? undefined : listOf(first, before);
  if (list !== undefined) return [...pathOf(list, before, depth + 1), ELEMENT, ...rest];
  if (first === 'iamPolicy') return ['iam_policy', ...rest];
  if (first !== 'resource') return steps;
  return ['resource', ...(rest[0] === 'data' ? rest.slice(1) : rest)];
}

const LOOP =
  /([A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\["[^"\\\n]*"\]|\[\d+\])*)\.(?:exists|all|exists_one|filter|map)\(\s*([A-Za-z_]\w*)\s*,/g;

/** The list or map whose elements a name stands for; the nearest before the cursor. */
function listOf(name: string, before: string): string | undefined {
  return [...before.matchAll(LOOP)].findLast(([, , variable]) => variable === name)?.[1];
}

function loopVariables(before: string): Completion[] {
  const names = new Set([...before.matchAll(LOOP)].map(([, , name = '']) => name));
  return [...names].map((label) => ({ label, type: 'variable', detail: 'element', boost: 2 }));
}

function membersOf(
  path: readonly string[],
  fields: readonly Field[],
  before: string,
): Completion[] {
  const all = [...fields.map(belowResource), ...FIXED_FIELDS];
  const here = all.find((field) => isSame(field.path, path));
  const members = all
    .filter((field) => field.path.length === path.length + 1 && isBelow(field.path, path))
    .filter(({ path: own }) => own.at(-1) !== ELEMENT);
  const isContent =
    path.length === 1 && path[0] === 'resource' && !/\bresource\.data\.\w*$/.test(before);
  return [
    ...(isContent ? [DATA] : []),
    ...members.map(fieldOption),
    ...methodsOf(path.length === 1 ? ['object'] : (here?.kinds ?? null)),
  ];
}

const DATA: Completion = {
  label: 'data',
  type: 'property',
  detail: 'map',
  info: 'The content of the asset as its API describes it.',
  boost: 90,
};

const FIXED_FIELDS: readonly Field[] = FIXED.map(([path, kind]) => ({
  path: path.split('.'),
  kinds: [kind],
  found: '',
}));

function belowResource(field: Field): Field {
  return { ...field, path: ['resource', ...field.path] };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isBelow(one, other);
}

function isBelow(path: readonly string[], parent: readonly string[]): boolean {
  return parent.every((name, index) => path[index] === name);
}

function fieldOption({ path, kinds, found }: Field): Completion {
  const name = path.at(-1) ?? '';
  const detail = [kinds.join(' | '), found].filter((part) => part !== '').join(' · ');
  const option: Completion = { label: name, type: 'property', detail, boost: 50 };
  if (PLAIN_NAME.test(name) && !RESERVED.has(name)) return option;
  return { ...option, apply: applyKey };
}

/** Writes `labels["k8s-app"]` for a name that cannot stand after a dot. */
function applyKey(view: EditorView, { label }: Completion, from: number, to: number): void {
  const insert = `[${JSON.stringify(label)}]`;
  view.dispatch({
    changes: { from: from - 1, to, insert },
    selection: { anchor: from - 1 + insert.length },
    userEvent: 'input.complete',
  });
}

const asVariable = ({ name, detail, text }: Named): Completion => ({
  label: name,
  type: 'variable',
  info: text,
  boost: 1,
  ...(detail === undefined ? {} : { detail }),
});

const asFunction = ({ name, detail = '()', text }: Named): Completion => ({
  label: name,
  type: 'function',
  detail,
  info: text,
  apply: (view, _, from, to) => call(view, name, detail, from, to),
});

/** Writes the call and leaves the cursor between its brackets. */
function call(view: EditorView, name: string, detail: string, from: number, to: number): void {
  const isOpen = view.state.sliceDoc(to, to + 1) === '(';
  const insert = isOpen ? name : `${name}()`;
  const inside = from + name.length + 1;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: detail === '()' && !isOpen ? inside + 1 : inside },
    userEvent: 'input.complete',
  });
}

const VARIABLE_OPTIONS = VARIABLES.map(asVariable);
const FUNCTION_OPTIONS = FUNCTIONS.map(asFunction);
const MACRO_OPTIONS = MACROS.map(asFunction);
const STRING_OPTIONS = STRING_METHODS.map(asFunction);
const METHOD_OPTIONS = METHODS.map(asFunction);

/** The methods of a value of these kinds; null: unknown. */
function methodsOf(kinds: readonly string[] | null): Completion[] {
  const may = (...wanted: string[]) => kinds?.some((kind) => wanted.includes(kind)) ?? true;
  return [
    ...(may('list', 'object') ? MACRO_OPTIONS : []),
    ...(may('string') ? STRING_OPTIONS : []),
    ...(may('string', 'list', 'object') ? METHOD_OPTIONS : []),
  ];
}
