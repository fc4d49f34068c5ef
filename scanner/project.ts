import type { Asset } from './inventory/normalise.ts';
import { child, text } from './json.ts';
import { containersOf, type Placed } from './project-reference.ts';
import type { Snapshot } from './snapshot.ts';
import { UnknownValue } from './terraform/unknown-value.ts';

/** A project of which the inventory holds assets. */
export interface Project {
  /** Where findings on the project as a whole sit: its asset in the inventory, or the one it would have there. */
  readonly asset: { readonly name: string; readonly type: string };
  /** The landmarks of a type that lie in the project or in a folder or organisation above it. */
  of(type: string): readonly Asset[];
  /** As `of`, those of the project alone. */
  own(type: string): readonly Asset[];
}

const RESOURCE_MANAGER = 'cloudresourcemanager.googleapis.com/Project';
const COMPUTE = 'compute.googleapis.com/Project';

/** What is known of a project under all of its names. */
interface Known {
  readonly references: Set<string>;
  /** Folders and organisations above it; empty where the inventory does not tell. */
  readonly above: Set<string>;
  resourceManagerName: string | null;
  computeName: string | null;
}

/**
 * The projects of a snapshot. One project goes by its number in the ancestors of its assets and by its id in their
 * names, so that the same one must not be taken for two, nor two for one.
 */
export class ProjectIndex {
  /** In the order of the names of their assets. */
  readonly all: readonly Project[];
  readonly #snapshot: Snapshot;
  readonly #byReference = new Map<string, Known>();
  readonly #projects = new Map<Known, Project>();
  readonly #byType = new Map<string, Landmarks>();

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    for (const project of snapshot.projects) this.#learn(project.split(' '));
    for (const type of snapshot.landmarkTypes) {
      for (const asset of snapshot.each(type)) this.#learnFrom(asset);
    }
    this.#pairTheLast();
    this.#climb();
    const known = new Set(this.#byReference.values());
    for (const one of known) this.#projects.set(one, this.#projectOf(one));
    this.all = [...this.#projects.values()].toSorted((a, b) =>
      a.asset.name < b.asset.name ? -1 : 1,
    );
  }

  /** The project of an asset; with a single project in the snapshot, that one. Null where there is no telling. */
  of(asset: Placed): Project | null {
    if (this.all.length === 1) return this.all[0] ?? null;
    for (const container of containersOf(asset)) {
      const known = this.#byReference.get(container);
      if (known !== undefined) return this.#projects.get(known) ?? null;
    }
    return null;
  }

  /** The same text for the same project, by whatever reference: of `projects/1`, `projects/shop`. */
  canonical(reference: string): string {
    const known = this.#byReference.get(reference);
    return known === undefined ? reference : (this.#projects.get(known)?.asset.name ?? reference);
  }

  #learnFrom(asset: Asset): void {
    const references = containersOf(asset).filter(isProject);
    references.push(...(unlessUnknown(() => referencesIn(asset)) ?? []));
    if (references.length === 0) return;
    const known = this.#learn(references);
    for (const above of asset.ancestors) if (!isProject(above)) known.above.add(above);
    if (asset.type === RESOURCE_MANAGER) {
      known.resourceManagerName ??= asset.name;
      const parent = unlessUnknown(() => parentOf(asset));
      if (parent !== null) known.above.add(parent);
    }
    if (asset.type === COMPUTE) known.computeName ??= asset.name;
  }

  /** Notes that these are references to one project. */
  #learn(references: readonly string[]): Known {
    const [first, ...others] = new Set(references.map((one) => this.#byReference.get(one)));
    const known = first ?? others.find((one) => one !== undefined) ?? unnamed();
    for (const other of [first, ...others]) {
      if (other === undefined || other === known) continue;
      for (const one of other.references) known.references.add(one);
      for (const one of other.above) known.above.add(one);
      known.resourceManagerName ??= other.resourceManagerName;
      known.computeName ??= other.computeName;
    }
    for (const one of references) known.references.add(one);
    for (const one of known.references) this.#byReference.set(one, known);
    return known;
  }

  /** Where one project is left that only has a number, and one that only has an id, they are the same. */
  #pairTheLast(): void {
    const known = [...new Set(this.#byReference.values())];
    const numbered = known.filter(({ references }) => [...references].every(isNumber));
    const named = known.filter(({ references }) => ![...references].some(isNumber));
    const [number, name] = [numbered[0], named[0]];
    if (number === undefined || name === undefined) return;
    if (numbered.length > 1 || named.length > 1) return;
    this.#learn([...number.references, ...name.references]);
  }

  /** Completes what is above each project by what the folders of the inventory say of their own parents. */
  #climb(): void {
    const parents = new Map<string, string>();
    for (const folder of this.#snapshot.of('cloudresourcemanager.googleapis.com/Folder')) {
      const parent = unlessUnknown(() => parentOf(folder));
      const [self] = containersOf({ name: folder.name, ancestors: [] });
      if (self !== undefined && parent !== null) parents.set(self, parent);
    }
    for (const { above } of this.#byReference.values()) {
      // A set goes on with what is added to it on the way, and takes nothing twice.
      for (const one of above) {
        const parent = parents.get(one);
        if (parent !== undefined) above.add(parent);
      }
    }
  }

  #projectOf(known: Known): Project {
    const own = (type: string) => this.#landmarks(type).inProjects.get(known) ?? NONE;
    return {
      asset: assetOf(known),
      own,
      of: (type) => {
        const above = this.#landmarks(type).above.filter(({ container }) =>
          this.#isAbove(container, known),
        );
        return above.length === 0 ? own(type) : [...own(type), ...above.map(({ asset }) => asset)];
      },
    };
  }

  #isAbove(container: string, { above }: Known): boolean {
    if (above.size > 0) return above.has(container);
    return container.startsWith('organizations/') || this.all.length === 1;
  }

  #landmarks(type: string): Landmarks {
    const done = this.#byType.get(type);
    if (done !== undefined) return done;
    const landmarks: Landmarks = { inProjects: new Map(), above: [] };
    for (const asset of this.#snapshot.of(type)) this.#place(asset, landmarks);
    this.#byType.set(type, landmarks);
    return landmarks;
  }

  #place(asset: Asset, { inProjects, above }: Landmarks): void {
    const containers = containersOf(asset);
    const [container] = containers;
    if (container !== undefined && !isProject(container)) {
      above.push({ container, asset });
      return;
    }
    const owner =
      containers.map((one) => this.#byReference.get(one)).find((one) => one !== undefined) ??
      (this.#projects.size === 1 ? [...this.#projects.keys()][0] : undefined);
    if (owner === undefined) return;
    const alike = inProjects.get(owner);
    if (alike === undefined) inProjects.set(owner, [asset]);
    else alike.push(asset);
  }
}

interface Landmarks {
  readonly inProjects: Map<Known, Asset[]>;
  /** In folders and organisations. */
  readonly above: { readonly container: string; readonly asset: Asset }[];
}

const NONE: readonly Asset[] = [];

/** For `Snapshot.derive`: the projects of a snapshot. */
export function projectsOf(snapshot: Snapshot): ProjectIndex {
  return new ProjectIndex(snapshot);
}

function unnamed(): Known {
  return {
    references: new Set(),
    above: new Set(),
    resourceManagerName: null,
    computeName: null,
  };
}

/** A planned project has its number only when it is there. */
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

function isNumber(reference: string): boolean {
  return /^projects\/\d+$/.test(reference);
}

/** What the record of a project itself says of its number and id. */
function referencesIn({ data, type }: Asset): readonly string[] {
  if (data === null) return [];
  if (type === RESOURCE_MANAGER) {
    const name = text(data, 'name');
    return [
      text(data, 'projectId') ?? '',
      String(data.projectNumber ?? ''),
      // In the first version of the API this is what people call the project.
      name?.startsWith('projects/') ? name.slice('projects/'.length) : '',
    ].flatMap((id) => (id === '' ? [] : [`projects/${id}`]));
  }
  if (type !== COMPUTE) return [];
  const number = /^(\d+)-compute@/.exec(text(data, 'defaultServiceAccount') ?? '')?.[1];
  return [text(data, 'name'), number].flatMap((id) => (id ? [`projects/${id}`] : []));
}

/** The parent of a project or folder: `{ type, id }` in the first version of the API, `folders/1` in later ones. */
function parentOf({ data }: Asset): string | null {
  const parent = child(data, 'parent');
  if (parent === null) return text(data, 'parent');
  const id = text(parent, 'id');
  return id === null ? null : `${text(parent, 'type') ?? 'folder'}s/${id}`;
}

/** The asset of the inventory that stands for the project, or the one that Resource Manager would have exported. */
function assetOf({ resourceManagerName, computeName, references }: Known): Project['asset'] {
  if (resourceManagerName !== null) return { name: resourceManagerName, type: RESOURCE_MANAGER };
  if (computeName !== null) return { name: computeName, type: COMPUTE };
  const reference = [...references].find(isNumber) ?? [...references].toSorted()[0] ?? '';
  return { name: `//cloudresourcemanager.googleapis.com/${reference}`, type: RESOURCE_MANAGER };
}
