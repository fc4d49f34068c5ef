import { child, type JsonObject, objects, text } from '../json.ts';
import { modulesOf } from './document.ts';

const PROJECT = /^(\/\/[^/]+\/projects\/)([^/]+)/;
const NUMBER = /^\d+$/;

interface NamedAsset {
  readonly name: string;
  readonly type: string;
}

/**
 * Matches assets of a plan with those of an inventory. An inventory names Cloud SQL by another host, zonal clusters by
 * their zone, and many assets by the number of the project, which plans name by its id.
 */
export class AssetIdentity {
  readonly #idOf: Map<string, string>;

  /** @param idOf ids of projects by number */
  constructor(idOf: Map<string, string>) {
    this.#idOf = idOf;
  }

  /** Equal for two names of one asset. */
  keyOf(asset: NamedAsset): string {
    return AssetIdentity.#key(asset, (project) => this.#idOf.get(project) ?? project);
  }

  /** Equal for two names of one asset, and for assets of different projects that have the same name otherwise. */
  static keyInAnyProject(asset: NamedAsset): string {
    return AssetIdentity.#key(asset, () => '*');
  }

  /** Records that a number and an id mean the same project if the inventory and the plan can mean no other. */
  pairTheOnly(ofInventory: ReadonlySet<string>, ofPlan: ReadonlySet<string>): void {
    const [number, ...others] = [...ofInventory].filter((one) => NUMBER.test(one));
    if (number === undefined || others.length > 0 || this.#idOf.has(number)) return;
    const ids = new Set([...ofInventory, ...ofPlan].filter((one) => !NUMBER.test(one)));
    const [id, ...more] = ids;
    if (id !== undefined && more.length === 0) this.#idOf.set(number, id);
  }

  static #key({ name, type }: NamedAsset, project: (one: string) => string): string {
    const plain = name
      .replace(/^\/\/cloudsql\./, '//sqladmin.')
      .replace(/^(\/\/container\.googleapis\.com\/projects\/[^/]+\/)zones\//, '$1locations/')
      .replace(PROJECT, (_, before: string, one: string) => before + project(one));
    return `${type} ${plain}`;
  }
}

/** The project in the name of an asset, by id or number; null if there is none. */
export function projectIn(name: string): string | null {
  return PROJECT.exec(name)?.[2] ?? null;
}

/** The ids of projects by number, from resources of a plan that have both. */
export function projectNumbersIn(document: JsonObject): Map<string, string> {
  const found = new Map<string, string>();
  const states = [
    child(child(document, 'prior_state'), 'values'),
    child(document, 'planned_values'),
  ];
  for (const state of states) {
    for (const module of modulesOf(child(state, 'root_module'))) {
      for (const resource of objects(module, 'resources')) {
        const values = child(resource, 'values');
        const isProject = text(resource, 'type') === 'google_project';
        const id = text(values, isProject ? 'project_id' : 'project');
        const given = values?.[isProject ? 'number' : 'project_number'];
        const number = typeof given === 'number' ? String(given) : given;
        if (id !== null && typeof number === 'string' && NUMBER.test(number)) found.set(number, id);
      }
    }
  }
  return found;
}
