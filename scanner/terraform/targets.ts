import { child, text } from '../json.ts';
import { type TerraformResource, UNKNOWN } from './document.ts';
import type { Draft, Drafts } from './drafts.ts';
import { mappingOf } from './mappings.ts';
import type { AssetPath, Naming } from './naming.ts';
import type { Plan } from './plan.ts';

/** The asset that a resource is part of, or grants access to. */
export interface Hits {
  /** It is certainly this one. */
  readonly certain: Draft | null;
  /** It is one of these, or one that is not in the plan. */
  readonly possible: readonly Draft[];
  /** The name of the target, with placeholders for unknown parts. */
  readonly path: AssetPath;
}

/** How a resource names its target. */
export interface Reference {
  readonly assetType: string;
  readonly path: string;
  readonly attribute: string;
}

const NAMED_AFTER_MAX = 100;

/** Finds the targets of resources, by full name if it is known and by reference otherwise. */
export class Targets {
  readonly #plan: Plan;
  readonly #naming: Naming;
  readonly #drafts: Drafts;
  /** The drafts of mapped resources. */
  readonly #draftOf: ReadonlyMap<TerraformResource, Draft>;
  /** Assets whose names are derived from another name of their type. */
  readonly #namedAfter = new Map<Draft, Draft[]>();

  constructor(
    plan: Plan,
    naming: Naming,
    drafts: Drafts,
    draftOf: ReadonlyMap<TerraformResource, Draft>,
  ) {
    this.#plan = plan;
    this.#naming = naming;
    this.#drafts = drafts;
    this.#draftOf = draftOf;
    this.#learnNames();
  }

  find(resource: TerraformResource, reference: Reference): Hits {
    const { assetType, attribute } = reference;
    const value = text(resource.values, attribute);
    const expression = child(resource.configuration, 'expressions')?.[attribute];
    if (value === UNKNOWN) {
      const referred = this.#referred(resource, expression, assetType);
      if (referred !== null) return referred;
    }
    const path =
      value === null || value === UNKNOWN
        ? this.#naming.fill(reference.path, resource)
        : this.#named(resource, reference, value);
    const exact = this.#drafts.find(assetType, path);
    if (exact !== undefined && value !== UNKNOWN) return { certain: exact, possible: [], path };
    const possible = this.#drafts.candidates(assetType, path);
    // The name alone is ambiguous, for example without its location; the reference decides.
    const referred = possible.length > 0 ? this.#referred(resource, expression, assetType) : null;
    if (referred?.certain && possible.includes(referred.certain)) return referred;
    // A full name is the name of an existing asset, and may be that of a planned asset whose name is unknown.
    const isWhole = value !== UNKNOWN && !path.isKnown.includes(false);
    const certain = isWhole ? this.#drafts.keep(assetType, path) : null;
    return { certain, possible, path };
  }

  /** By the resources to which the expression refers; null if that is ambiguous. */
  #referred(
    resource: TerraformResource,
    expression: Parameters<Plan['resolve']>[1],
    assetType: string,
  ): Hits | null {
    if (expression === undefined) return null;
    const { resources, isComplete } = this.#plan.resolve(resource, expression);
    if (!isComplete) return null;
    const found = new Set(resources.map((one) => one.resource));
    const drafts: Draft[] = [];
    for (const one of found) {
      const draft = this.#draftOf.get(one);
      // It stands for an asset whose name the plan does not contain.
      if (draft?.type !== assetType) return null;
      drafts.push(draft);
    }
    const [only, ...others] = drafts;
    if (only === undefined) return null;
    return others.length === 0
      ? { certain: only, possible: this.#namedAfter.get(only) ?? [], path: only.path }
      : { certain: null, possible: drafts, path: only.path };
  }

  /**
   * A plan does not distinguish `bucket.a.name` from a text derived from it, such as `"${bucket.a.name}-logs"`: if
   * another asset's name is derived from it too, the resource may belong to that one.
   */
  #learnNames(): void {
    for (const [resource, draft] of this.#draftOf) {
      const attribute = [...(mappingOf(resource.type)?.path ?? '').matchAll(/\{(\w+)\}/g)].at(
        -1,
      )?.[1];
      if (attribute === undefined || resource.values[attribute] !== UNKNOWN) continue;
      const expression = child(resource.configuration, 'expressions')?.[attribute];
      if (expression === undefined) continue;
      for (const { resource: named } of this.#plan.resolve(resource, expression).resources) {
        const origin = this.#draftOf.get(named);
        if (origin === undefined || origin === draft || origin.type !== draft.type) continue;
        const others = this.#namedAfter.get(origin);
        if (others === undefined) this.#namedAfter.set(origin, [draft]);
        else if (others.length < NAMED_AFTER_MAX) others.push(draft);
      }
    }
  }

  /** A bare name, a short path (`project/location/name`) or a full one, with or without a host. */
  #named(resource: TerraformResource, { path, attribute }: Reference, value: string): AssetPath {
    const bare = value
      .replace(/^(?:https?:)?\/\/[^/]+\//, '')
      .replace(/^(?:compute\/|storage\/)?(?:v\d\w*|beta)\//, '')
      .replace(/^b\//, '');
    const parts = bare.split('/');
    const template = path.split('/');
    const isWhole =
      parts.length === template.length &&
      template.every((part, at) => part.includes('{') || part === parts[at]);
    if (isWhole) {
      return {
        text: bare,
        isKnown: parts.map((part) => part !== '-'),
        project: template[0] === 'projects' ? (parts[1] ?? null) : null,
      };
    }
    const attributes = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
    const last = parts.length <= attributes.length ? parts : parts.slice(-1);
    const named = attributes.slice(-last.length).map((name, at) => [name, last[at] ?? '']);
    return this.#naming.fill(path, {
      ...resource,
      values: { ...resource.values, [attribute]: value, ...Object.fromEntries(named) },
    });
  }
}
