import { child, text } from '../json.ts';
import { type TerraformResource, UNKNOWN } from './document.ts';
import type { Mapping } from './mapping.ts';
import { isUnset, type Plan } from './plan.ts';

/** The path of a resource's asset, without `//` and the service: `projects/p/topics/t`. */
export interface AssetPath {
  readonly text: string;
  /** Which segments are known; the others are placeholders. */
  readonly isKnown: readonly boolean[];
  /** Its project; null for an asset of a folder, an organization or a billing account. */
  readonly project: string | null;
}

/** Placeholder for a project or place that neither the resource nor the provider names. */
const UNNAMED = '-';
/** Attributes that contain the path of a parent, with several segments. */
const PATHS = new Set(['key_ring', 'parent', 'folder']);
const PLACES = new Set(['region', 'zone', 'location']);
/** Attributes of which only the last segment is part of a path. */
const ENDS = new Set([...PLACES, 'constraint']);
/** Attributes by which one Google resource names another; none of them can be null after apply. */
export const IDENTIFIERS: ReadonlySet<string> = new Set(
  ['id', 'self_link', 'self_link_unique', 'name', 'topic_id', 'secret_id', 'dataset_id', 'table_id']
    .concat(['project_id', 'repository_id', 'bucket', 'cluster', 'network', 'account_id', 'url'])
    .concat(['project', 'service', 'function', 'instance_id', 'number', 'email', 'unique_id']),
);

/** The type of the asset of a resource, and the template of its path. */
type Template = Pick<Mapping, 'assetType' | 'path'>;

/** Computes the asset names of a plan, each once. */
export class Naming {
  readonly #plan: Plan;
  /** Undefined if the resource type is not mapped. */
  readonly #templateOf: (type: string) => Template | undefined;
  readonly #paths = new Map<TerraformResource, AssetPath | null>();
  /** The resources whose assets would have the name of another one because a project or place is unknown. */
  readonly #ambiguous = new Set<TerraformResource>();

  constructor(plan: Plan, templateOf: (type: string) => Template | undefined) {
    this.#plan = plan;
    this.#templateOf = templateOf;
    this.#separate();
  }

  /** Null for a resource without an asset. */
  pathOf(resource: TerraformResource): AssetPath | null {
    const known = this.#paths.get(resource);
    if (known !== undefined) return known;
    // A resource that refers to itself, in a forged plan, has no name.
    this.#paths.set(resource, null);
    const template = this.#templateOf(resource.type);
    const path = template === undefined ? null : this.fill(template.path, resource);
    this.#paths.set(resource, path);
    return path;
  }

  /**
   * Fills the template with the attributes of the resource; an unknown one becomes the address of the resource that it
   * comes from. An unknown project or place becomes `-`, or the address of the resource if another one would have the
   * same name.
   */
  fill(template: string, resource: TerraformResource): AssetPath {
    const segments: Segment[] = [];
    for (const part of template.split('/')) {
      const attribute = /\{(\w+)\}/.exec(part)?.[1];
      if (attribute === undefined) segments.push({ text: part, isKnown: true });
      else if (attribute === 'project') segments.push(this.projectOf(resource));
      else {
        const found = this.#attribute(attribute, resource);
        // `folders/{folder}` with `folders/12`, which the provider accepts like `12`.
        const repeated = part === `{${attribute}}` && segments.at(-1)?.text === found[0].text;
        if (repeated) segments.pop();
        found[0] = { ...found[0], text: part.replace(`{${attribute}}`, found[0].text) };
        for (const segment of found) segments.push(segment);
      }
    }
    const name = segments.map((segment) => segment.text).join('/');
    const isInProject = !/^(?:folders|organizations|billingAccounts)\//.test(name);
    return {
      text: this.#ambiguous.has(resource) ? distinctName(segments, resource.address) : name,
      isKnown: segments.map(({ isKnown }) => isKnown),
      project:
        /^projects\/([^/]+)/.exec(name)?.[1] ??
        (isInProject ? this.projectOf(resource).text : null),
    };
  }

  /** The project of a resource; `-` if unknown. */
  projectOf(resource: TerraformResource): { readonly text: string; readonly isKnown: boolean } {
    const value = text(resource.values, 'project');
    if (value !== null && value !== UNKNOWN) {
      return { text: value.replace(/^projects\//, ''), isKnown: true };
    }
    if (value === null || this.#isUnset(resource, 'project')) {
      const own = this.#plan.providerSetting(resource, 'project');
      return own === null ? { text: UNNAMED, isKnown: false } : { text: own, isKnown: true };
    }
    const target = this.#targetOf(resource, 'project');
    if (target === null) return { text: UNNAMED, isKnown: false };
    if (target.type !== 'google_project') {
      const path = this.pathOf(target);
      return { text: path?.project ?? target.address, isKnown: path?.isKnown[1] === true };
    }
    const path = this.pathOf(target);
    return {
      text: path?.text.slice(path.text.lastIndexOf('/') + 1) ?? target.address,
      isKnown: path?.isKnown.at(-1) === true,
    };
  }

  /** The address of a service account in the plan; null for a resource of another type. */
  emailOf(account: TerraformResource): string | null {
    if (account.type !== 'google_service_account') return null;
    const email = text(account.values, 'email');
    if (email !== null && email !== UNKNOWN) return email;
    const id = text(account.values, 'account_id');
    const name = id === null || id === UNKNOWN ? account.address : id;
    return `${name}@${this.projectOf(account).text}.iam.gserviceaccount.com`;
  }

  /** Finds the resources that would share a name although they may be in different projects or places. */
  #separate(): void {
    const byName = new Map<string, TerraformResource[]>();
    for (const resource of this.#plan.resources) {
      const path = this.pathOf(resource);
      if (path === null || !path.isKnown.includes(false)) continue;
      const name = `${this.#templateOf(resource.type)?.assetType} ${path.text}`;
      const alike = byName.get(name);
      if (alike === undefined) byName.set(name, [resource]);
      else alike.push(resource);
    }
    for (const alike of byName.values()) {
      if (alike.length > 1) for (const resource of alike) this.#ambiguous.add(resource);
    }
    // The names of other assets may contain theirs.
    if (this.#ambiguous.size > 0) this.#paths.clear();
  }

  /** The single resource to which an unknown attribute refers; null if there is none or more than one. */
  #targetOf(resource: TerraformResource, attribute: string): TerraformResource | null {
    const expression = child(resource.configuration, 'expressions')?.[attribute];
    if (expression === undefined) return null;
    const { resources, isComplete } = this.#plan.resolve(resource, expression);
    const [only, ...others] = new Set(resources.map((one) => one.resource));
    return only !== undefined && others.length === 0 && isComplete ? only : null;
  }

  #isUnset(resource: TerraformResource, attribute: string): boolean {
    const expressions = child(resource.configuration, 'expressions');
    return expressions !== null && isUnset(expressions[attribute]);
  }

  /** At least one segment. */
  #attribute(attribute: string, resource: TerraformResource): [Segment, ...Segment[]] {
    const value = text(resource.values, attribute);
    if (value !== null && value !== UNKNOWN) return segmentsOf(attribute, value);
    if (attribute === 'email') {
      const email = this.emailOf(resource);
      if (email !== null) return [{ text: email, isKnown: this.projectOf(resource).isKnown }];
    }
    if (PLACES.has(attribute) && (value === null || this.#isUnset(resource, attribute))) {
      const own = this.#place(attribute, resource);
      return [{ text: own ?? UNNAMED, isKnown: own !== null }];
    }
    const target = value === null ? null : this.#targetOf(resource, attribute);
    // A name that is derived from another name of its kind is different.
    if (target === null || target.type === resource.type) {
      return [{ text: resource.address, isKnown: false }];
    }
    const path = this.pathOf(target);
    if (path === null) return [{ text: target.address, isKnown: false }];
    const segments = path.text
      .split('/')
      .map((part, at) => ({ text: part, isKnown: path.isKnown[at] === true }));
    const [first, ...rest] = PATHS.has(attribute) ? segments : segments.slice(-1);
    return [first ?? { text: target.address, isKnown: false }, ...rest];
  }

  #place(attribute: string, resource: TerraformResource): string | null {
    if (attribute !== 'location') return this.#plan.providerSetting(resource, attribute);
    return (
      this.#plan.providerSetting(resource, 'region') ?? this.#plan.providerSetting(resource, 'zone')
    );
  }
}

interface Segment {
  readonly text: string;
  readonly isKnown: boolean;
}

/** The name with the address in place of the first unknown project or place. */
function distinctName(segments: readonly Segment[], address: string): string {
  const at = segments.findIndex(({ text: part, isKnown }) => part === UNNAMED && !isKnown);
  return segments.map((segment, index) => (index === at ? address : segment.text)).join('/');
}

function segmentsOf(attribute: string, value: string): [Segment, ...Segment[]] {
  const isPath = PATHS.has(attribute) || !value.includes('://');
  const path = isPath && !ENDS.has(attribute) ? value : value.slice(value.lastIndexOf('/') + 1);
  const [first = '', ...rest] = path.split('/');
  return [{ text: first, isKnown: true }, ...rest.map((part) => ({ text: part, isKnown: true }))];
}
