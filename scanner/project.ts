import type { Asset } from './inventory/normalise.ts';
import { child, text } from './json.ts';
import { type ProjectAlias, ProjectAliases, smaller } from './project-aliases.ts';
import { containersOf, type Placed } from './project-reference.ts';
import type { Snapshot } from './snapshot.ts';
import { UnknownValue } from './terraform/unknown-value.ts';

/** A project with assets in the inventory. */
export interface Project {
  /** The asset for findings on the whole project: the one in the inventory, or the name that it would have. */
  readonly asset: { readonly name: string; readonly type: string };
  /** The reference assets of a type in the project itself. */
  own(type: string): readonly Asset[];
  /**
   * The reference assets of a type in the folders and organizations above the project, one group per container.
   * Projects below the same container share the array, so results per group can be cached; iterating all groups for all
   * projects would be quadratic.
   */
  above(type: string): readonly (readonly Asset[])[];
  /**
   * Whether a reference asset of a type lies in a folder that may be above the project, because no reference asset lists
   * the ancestors of the project.
   */
  mayInherit(type: string): boolean;
}

const RESOURCE_MANAGER = 'cloudresourcemanager.googleapis.com/Project';
const COMPUTE = 'compute.googleapis.com/Project';

/** Google Cloud nests folders up to 10 deep; further levels are ignored. */
const LEVELS_MAX = 32;

/**
 * The projects of a snapshot. The ancestors of assets contain a project's number and their names its id, so the
 * references are matched to count each project once.
 *
 * Time and memory are quasi-linear in the size of the reference assets, for any content.
 */
export class ProjectIndex {
  /** Sorted by the names of their assets. */
  readonly all: readonly Project[];
  readonly #snapshot: Snapshot;
  readonly #aliases = new ProjectAliases();
  readonly #projects = new Map<ProjectAlias, Project>();
  readonly #byType = new Map<string, ReferenceAssets>();

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    for (const project of snapshot.projects) this.#aliases.join(project.split(' '));
    for (const type of snapshot.referenceAssetTypes) {
      for (const asset of snapshot.each(type)) this.#learnFrom(asset);
    }
    this.#aliases.pairTheLast();
    this.#climb();
    for (const one of this.#aliases.all()) this.#projects.set(one, this.#projectOf(one));
    this.all = [...this.#projects.values()].toSorted((a, b) =>
      a.asset.name < b.asset.name ? -1 : 1,
    );
  }

  /** The project of an asset; if the snapshot has only one project, that one. Null if unknown. */
  of(asset: Placed): Project | null {
    if (this.all.length === 1) return this.all[0] ?? null;
    for (const container of containersOf(asset)) {
      const known = this.#aliases.find(container);
      if (known !== undefined) return this.#projects.get(known) ?? null;
    }
    return null;
  }

  /** A canonical text for a project, the same for each of its references: `projects/1`, `projects/shop`. */
  canonical(reference: string): string {
    const known = this.#aliases.find(reference);
    return known === undefined ? reference : (this.#projects.get(known)?.asset.name ?? reference);
  }

  #learnFrom(asset: Asset): void {
    const references = containersOf(asset).filter(isProject);
    references.push(...(unlessUnknown(() => referencesIn(asset)) ?? []));
    if (references.length === 0) return;
    const known = this.#aliases.join(references);
    if (asset.ancestors.length > 0) known.isPlaced = true;
    for (const above of asset.ancestors) if (!isProject(above)) known.above.add(above);
    if (asset.type === RESOURCE_MANAGER) {
      known.resourceManagerName = smaller(known.resourceManagerName, asset.name);
      const parent = unlessUnknown(() => parentOf(asset));
      if (parent !== null) known.above.add(parent);
      if (parent !== null) known.isPlaced = true;
    }
    if (asset.type === COMPUTE) known.computeName = smaller(known.computeName, asset.name);
  }

  /** Completes the containers above each project from the folders' own parents. */
  #climb(): void {
    const parents = new Map<string, string>();
    for (const folder of this.#snapshot.each('cloudresourcemanager.googleapis.com/Folder')) {
      const parent = unlessUnknown(() => parentOf(folder));
      const [self] = containersOf({ name: folder.name, ancestors: [] });
      if (self !== undefined && parent !== null) parents.set(self, parent);
    }
    if (parents.size === 0) return;
    for (const { above } of this.#aliases.all()) {
      const most = above.size + LEVELS_MAX;
      // Iterating a set includes elements that are added meanwhile.
      for (const one of above) {
        const parent = parents.get(one);
        if (parent !== undefined) above.add(parent);
        if (above.size >= most) break;
      }
    }
  }

  #projectOf(alias: ProjectAlias): Project {
    return {
      asset: assetOf(alias),
      own: (type) => this.#referenceAssets(type).inProjects.get(alias) ?? NONE,
      above: (type) => this.#groupsAbove(this.#referenceAssets(type), alias),
      mayInherit: (type) =>
        !alias.isPlaced && this.all.length > 1 && this.#referenceAssets(type).hasFolders,
    };
  }

  #groupsAbove(
    { inContainers, inOrganizations, notInProjects }: ReferenceAssets,
    { above }: ProjectAlias,
  ): readonly (readonly Asset[])[] {
    if (above.size === 0) {
      const group = this.all.length === 1 ? notInProjects : inOrganizations;
      return group.length === 0 ? NONE : [group];
    }
    if (inContainers.size === 0) return NONE;
    const groups: (readonly Asset[])[] = [];
    for (const container of above) {
      const group = inContainers.get(container);
      if (group !== undefined) groups.push(group);
    }
    return groups;
  }

  #referenceAssets(type: string): ReferenceAssets {
    const done = this.#byType.get(type);
    if (done !== undefined) return done;
    const referenceAssets: ReferenceAssets = {
      inProjects: new Map(),
      inContainers: new Map(),
      inOrganizations: [],
      notInProjects: [],
      hasFolders: false,
    };
    for (const asset of this.#snapshot.each(type)) this.#place(asset, referenceAssets);
    this.#byType.set(type, referenceAssets);
    return referenceAssets;
  }

  #place(asset: Asset, referenceAssets: ReferenceAssets): void {
    const containers = containersOf(asset);
    const [container] = containers;
    if (container !== undefined && !isProject(container)) {
      addTo(referenceAssets.inContainers, container, asset);
      referenceAssets.notInProjects.push(asset);
      if (container.startsWith('organizations/')) referenceAssets.inOrganizations.push(asset);
      if (container.startsWith('folders/')) referenceAssets.hasFolders = true;
      return;
    }
    const owner =
      containers.map((one) => this.#aliases.find(one)).find((one) => one !== undefined) ??
      (this.#projects.size === 1 ? this.#projects.keys().next().value : undefined);
    if (owner !== undefined) addTo(referenceAssets.inProjects, owner, asset);
  }
}

/** The reference assets of one type, by container. */
interface ReferenceAssets {
  readonly inProjects: Map<ProjectAlias, Asset[]>;
  /** By folder or organization. */
  readonly inContainers: Map<string, Asset[]>;
  readonly inOrganizations: Asset[];
  /** All that lie in folders and organizations. */
  readonly notInProjects: Asset[];
  hasFolders: boolean;
}

const NONE: readonly never[] = [];

function addTo<K>(lists: Map<K, Asset[]>, key: K, asset: Asset): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [asset]);
  else list.push(asset);
}

/** For `Snapshot.derive`: the projects of a snapshot. */
export function projectsOf(snapshot: Snapshot): ProjectIndex {
  return new ProjectIndex(snapshot);
}

/** A planned project gets its number only on apply. */
function unlessUnknown<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownValue) return null;
    throw error;
  }
}

function isProject(container: string): boolean {
  return container.startsWith('projects/');
}

/** The number and id in the record of a project itself. */
function referencesIn({ data, type }: Asset): readonly string[] {
  if (data === null) return [];
  if (type === RESOURCE_MANAGER) {
    const name = text(data, 'name');
    return [
      text(data, 'projectId') ?? '',
      String(data.projectNumber ?? ''),
      // In the API's first version this is the project id.
      name?.startsWith('projects/') ? name.slice('projects/'.length) : '',
    ].flatMap((id) => (id === '' ? [] : [`projects/${id}`]));
  }
  if (type !== COMPUTE) return [];
  const number = /^(\d+)-compute@/.exec(text(data, 'defaultServiceAccount') ?? '')?.[1];
  return [text(data, 'name'), number].flatMap((id) => (id ? [`projects/${id}`] : []));
}

/** The parent of a project or folder: `{ type, id }` in the API's first version, `folders/1` in later ones. */
function parentOf({ data }: Asset): string | null {
  const parent = child(data, 'parent');
  if (parent === null) return text(data, 'parent');
  const id = text(parent, 'id');
  return id === null ? null : `${text(parent, 'type') ?? 'folder'}s/${id}`;
}

/** The asset that represents the project in the inventory, or the one that Resource Manager would have exported. */
function assetOf(alias: ProjectAlias): Project['asset'] {
  const { resourceManagerName, computeName, number, id } = alias;
  if (resourceManagerName !== null) return { name: resourceManagerName, type: RESOURCE_MANAGER };
  if (computeName !== null) return { name: computeName, type: COMPUTE };
  const reference = number ?? id ?? '';
  return { name: `//cloudresourcemanager.googleapis.com/${reference}`, type: RESOURCE_MANAGER };
}
