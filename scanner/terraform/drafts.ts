import type { JsonObject, JsonValue } from '../json.ts';
import { UNKNOWN } from './document.ts';
import type { AssetPath } from './naming.ts';
import { ANYTHING, type PolicyPart } from './policy-part.ts';
import { EVERY_OTHER } from './unknown-value.ts';

/** An asset under construction. */
export interface Draft {
  readonly type: string;
  readonly path: AssetPath;
  data: JsonObject | null;
  /** Null if nothing in the plan grants access to it. */
  policy: DraftPolicy | null;
  /** Parts that may belong to it or to another asset. */
  readonly possible: Possible;
  /** Parts that certainly belong to it; `joinParts` adds them once all are known. */
  readonly parts: Map<Join, JsonValue[]>;
}

export interface DraftPolicy {
  readonly bindings: JsonObject[];
  readonly auditConfigs: JsonObject[];
  /** The project, folder or organization has no other audit configurations. */
  hasAllAuditConfigs: boolean;
}

/** The known parts of an asset that is not in the plan. */
export const NOTHING_ELSE: JsonObject = { [EVERY_OTHER]: UNKNOWN };

/** Builds the description of an asset with the given parts, in order. */
export type Join = (data: JsonObject, parts: readonly JsonValue[]) => JsonObject;

/** What apply may add to an asset. */
export interface Possible {
  readonly bindings: JsonObject[];
  readonly auditConfigs: JsonObject[];
  readonly changes: ((data: JsonObject) => JsonObject)[];
  /** Why that is undecided: a sentence about the first cause. */
  reason: string | null;
}

/** Maximum number of possible parts per asset; more count as "anything may be granted to anyone". */
const POSSIBLE_MAX = 32;
/** Maximum number of comparisons per plan; beyond it, anything may be granted on every asset of the type. */
const COMPARISONS_MAX = 200_000;

/** The assets of a plan, by type and name. */
export class Drafts {
  readonly #byKey = new Map<string, Draft>();
  readonly #byType = new Map<string, Draft[]>();
  readonly #openTypes = new Set<string>();
  #comparisons = 0;

  get all(): Iterable<Draft> {
    return this.#byKey.values();
  }

  /** The draft with that name, created if missing. */
  keep(type: string, path: AssetPath): Draft {
    const key = `${type} ${path.text}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const draft: Draft = {
      type,
      path,
      data: null,
      policy: null,
      possible: { bindings: [], auditConfigs: [], changes: [], reason: null },
      parts: new Map(),
    };
    this.#byKey.set(key, draft);
    const alike = this.#byType.get(type);
    if (alike === undefined) this.#byType.set(type, [draft]);
    else alike.push(draft);
    return draft;
  }

  /** A draft for an asset that is not in the plan; null if every asset of the type already counts as affected. */
  placeholder(type: string, path: AssetPath): Draft | null {
    return this.#openTypes.has(type) ? null : this.keep(type, path);
  }

  find(type: string, path: AssetPath): Draft | undefined {
    return this.#byKey.get(`${type} ${path.text}`);
  }

  /** Whether assets of this type have too many grants to determine their targets. */
  isOpen(type: string): boolean {
    return this.#openTypes.has(type);
  }

  /** The drafts of a type whose names may turn out to be this one. */
  candidates(type: string, path: AssetPath): readonly Draft[] {
    const all = this.#byType.get(type) ?? [];
    this.#comparisons += all.length;
    if (this.#comparisons > COMPARISONS_MAX) {
      this.#openTypes.add(type);
      return [];
    }
    const segments = path.text.split('/');
    return all.filter((draft) => mayBe(segments, path.isKnown, draft.path));
  }
}

function mayBe(
  segments: readonly string[],
  isKnown: readonly boolean[],
  other: AssetPath,
): boolean {
  const others = other.text.split('/');
  // The unknown path of a parent may contain several segments.
  if (others.length !== segments.length) {
    return isKnown.includes(false) || other.isKnown.includes(false);
  }
  return segments.every((segment, at) => {
    if (segment === others[at]) return true;
    if (isKnown[at] !== true || other.isKnown[at] !== true) return true;
    const place = segments[at - 1] ?? '';
    // A project may be referred to by its id and by its number.
    return place === 'projects' && /^\d+$/.test(segment) !== /^\d+$/.test(others[at] ?? '');
  });
}

/**
 * Adds a certain grant on an asset.
 * @param hasAllAuditConfigs whether the part contains all audit configurations of the asset
 */
export function addPolicy(
  draft: Draft,
  { bindings, auditConfigs }: PolicyPart,
  hasAllAuditConfigs: boolean,
): void {
  draft.policy ??= { bindings: [], auditConfigs: [], hasAllAuditConfigs: false };
  if (hasAllAuditConfigs) draft.policy.hasAllAuditConfigs = true;
  // One by one, because the arguments of a call must fit on the stack.
  for (const binding of bindings) draft.policy.bindings.push(binding);
  for (const config of auditConfigs) draft.policy.auditConfigs.push(config);
}

/** Collects parts for the description of an asset. Joining them one by one would take quadratic time. */
export function addParts(draft: Draft, join: Join, parts: readonly JsonValue[]): void {
  const known = draft.parts.get(join) ?? [];
  draft.parts.set(join, known);
  for (const part of parts) known.push(part);
}

/** Joins the collected parts into the description of an asset. */
export function joinParts(draft: Draft): void {
  for (const [join, parts] of draft.parts) draft.data = join(draft.data ?? {}, parts);
  draft.parts.clear();
}

/** Adds a possible grant on an asset. */
export function addPossible({ possible }: Draft, part: PolicyPart, reason: string): void {
  possible.reason ??= reason;
  possible.auditConfigs.push(...part.auditConfigs.slice(0, POSSIBLE_MAX));
  for (const binding of part.bindings) {
    if (possible.bindings.length < POSSIBLE_MAX) possible.bindings.push(binding);
    else if (possible.bindings.at(-1) !== ANYTHING) possible.bindings.push(ANYTHING);
  }
}

/** Adds a possible change to the description of an asset. */
export function addPossibleChange(
  { possible }: Draft,
  change: (data: JsonObject) => JsonObject,
  reason: string,
): void {
  possible.reason ??= reason;
  // The last one stands for all further ones.
  if (possible.changes.length < POSSIBLE_MAX) possible.changes.push(change);
  else possible.changes[POSSIBLE_MAX] = () => NOTHING_ELSE;
}
