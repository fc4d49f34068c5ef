import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { JSON_LIMITS } from '../json-limits.ts';

/** The path of a value in a Terraform plan that is known only after apply: `['data', 'rotationPeriod']`. */
export type UnknownPath = readonly [
  root: 'data' | 'iamPolicy' | 'possibleData' | 'possibleIamPolicy',
  ...rest: readonly string[],
];

/** The last member of a path; it means that all absent members may exist, although the document does not show them. */
export const EVERY_OTHER = '*';

/** The end of each reason that a value of a plan leaves a verdict open. */
const KNOWN_AFTER_APPLY = 'known after apply only';

/** Whether the reason of an unknown verdict is a value that is known only after apply. */
export function isKnownAfterApply(reason: string): boolean {
  return reason.includes(KNOWN_AFTER_APPLY);
}

/** The end of each reason that a part of an asset leaves a verdict open because the document does not manage it. */
const NOT_IN_DOCUMENT = 'not in the Terraform document';

/** Whether a text is the message of an `UnknownValue`. */
export function isUnknownValueMessage(text: string): boolean {
  return text.endsWith(` is ${KNOWN_AFTER_APPLY}`) || text.endsWith(` is ${NOT_IN_DOCUMENT}`);
}

/**
 * Thrown when a rule reads a value that is known only after apply, or that the document does not show, so the rule cannot
 * treat it as absent and pass.
 */
export class UnknownValue extends Error {
  override readonly name = 'UnknownValue';
  /** The path as in evidence: `settings.ipConfiguration.sslMode`. */
  readonly path: string;

  constructor(path: string, reason = KNOWN_AFTER_APPLY) {
    super(`${path} is ${reason}`);
    this.path = path;
  }
}

/** The unknown members below one object: true if the member itself is unknown. */
interface Tree {
  [member: string]: true | Tree;
}

/** A view of the value whose unknown parts throw when read. A value without unknown parts is returned unchanged. */
export function guarded(value: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  const tree: Tree = Object.create(null);
  for (const path of paths) plant(tree, path);
  return guard(value, tree, '');
}

/** Uploads are untrusted, and a path may have as many members as a record has values. */
const PATH_MAX = JSON_LIMITS.record.depth;

function plant(root: Tree, path: readonly string[]): void {
  // No value is nested deeper, so a longer path names none.
  if (path.length > PATH_MAX) return;
  const last = path.length - 1;
  let tree = root;
  for (const [at, member] of path.entries()) {
    const there = tree[member];
    if (there === true) return;
    if (at === last) {
      tree[member] = true;
      return;
    }
    const below: Tree = there ?? Object.create(null);
    tree[member] = below;
    tree = below;
  }
}

/** By tree, which does not change any more: a loop over a list asks for its length in each round. */
const FIRST_UNKNOWN = new WeakMap<Tree, { readonly member: string | undefined }>();

/** A member of the tree that is unknown itself; undefined if there is none. */
function firstUnknownIn(tree: Tree): string | undefined {
  const known = FIRST_UNKNOWN.get(tree);
  if (known !== undefined) return known.member;
  const member = Object.keys(tree).find((name) => tree[name] === true);
  FIRST_UNKNOWN.set(tree, { member });
  return member;
}

function guard<T extends JsonObject | readonly JsonValue[]>(value: T, tree: Tree, at: string): T {
  const refuseIfUnknown = (member: string | symbol) => {
    if (typeof member !== 'string') return;
    if (tree[member] === true) throw new UnknownValue(join(at, member));
    const isOpen = tree[EVERY_OTHER] === true && !Object.hasOwn(value, member);
    if (isOpen) throw new UnknownValue(join(at, member), NOT_IN_DOCUMENT);
  };
  const refuseIfAny = () => {
    const unknown = firstUnknownIn(tree);
    if (unknown === undefined) return;
    const reason = unknown === EVERY_OTHER ? NOT_IN_DOCUMENT : KNOWN_AFTER_APPLY;
    throw new UnknownValue(join(at, unknown), reason);
  };
  return new Proxy<T>(value, {
    get(target, member, receiver) {
      refuseIfUnknown(member);
      // The length of a list depends on whether its elements are known.
      if (member === 'length' && Array.isArray(target)) refuseIfAny();
      const found = Reflect.get(target, member, receiver) as JsonValue;
      const below = typeof member === 'string' ? tree[member] : undefined;
      if (below === undefined || below === true) return found;
      return isObject(found) || Array.isArray(found)
        ? guard(found, below, join(at, member))
        : found;
    },
    has(target, member) {
      refuseIfUnknown(member);
      return Reflect.has(target, member);
    },
    getOwnPropertyDescriptor(target, member) {
      refuseIfUnknown(member);
      return Reflect.getOwnPropertyDescriptor(target, member);
    },
    ownKeys(target) {
      refuseIfAny();
      return Reflect.ownKeys(target);
    },
  });
}

function join(at: string, member: string | symbol): string {
  const name = String(member);
  if (/^\d+$/.test(name)) return `${at}[${name}]`;
  return at === '' ? name : `${at}.${name}`;
}
