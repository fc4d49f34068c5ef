import type { Asset } from './inventory/normalise.ts';
import { child, type JsonObject, objects, text } from './json.ts';
import { type Project, projectsOf } from './project.ts';
import { containersOf, type Placed } from './project-reference.ts';
import type { Snapshot } from './snapshot.ts';

const POLICY_TYPE = 'orgpolicy.googleapis.com/Policy';

/** Where organisation policies are found: on what they are set on, and as resources of their own. */
const TYPES = [
  'cloudresourcemanager.googleapis.com/Project',
  'cloudresourcemanager.googleapis.com/Folder',
  'cloudresourcemanager.googleapis.com/Organization',
  POLICY_TYPE,
];

/**
 * For `Snapshot.derive`: whether a constraint that is either enforced or not is enforced for an asset. Its project
 * decides, else the nearest folder or organisation above that says something of it. False where the inventory has no
 * word of it, or does not tell in which project the asset is.
 *
 * @param constraint without its prefix: `storage.publicAccessPrevention`
 */
export function enforcementOf(
  constraint: string,
): (snapshot: Snapshot) => (asset: Placed) => boolean {
  return (snapshot) => {
    const projects = snapshot.derive(projectsOf);
    const known = new Map<Project, boolean>();
    return (asset) => {
      const project = projects.of(asset);
      if (project === null) return false;
      const before = known.get(project);
      if (before !== undefined) return before;
      const enforced = isEnforced(project, asset.ancestors, constraint);
      known.set(project, enforced);
      return enforced;
    };
  };
}

/** @param ancestors of any asset in the project, from the project outwards */
function isEnforced(project: Project, ancestors: readonly string[], constraint: string): boolean {
  const settings = TYPES.flatMap((type) => {
    const own = project.own(type);
    return project.of(type).flatMap((landmark) => {
      const enforced = saysOf(landmark, constraint);
      if (enforced === null) return [];
      return [{ enforced, distance: own.includes(landmark) ? 0 : distanceTo(landmark, ancestors) }];
    });
  });
  const nearest = Math.min(...settings.map(({ distance }) => distance));
  return settings.some(({ distance, enforced }) => distance === nearest && enforced);
}

/** Where the ancestors do not have it, folders come before the organisation. */
function distanceTo(landmark: Placed, ancestors: readonly string[]): number {
  const [container = ''] = containersOf(landmark);
  const index = ancestors.indexOf(container);
  if (index !== -1) return index + 1;
  return ancestors.length + (container.startsWith('folders/') ? 1 : 2);
}

/** Null where it says nothing. A policy that restores the default of Google says that it is not enforced. */
function saysOf(landmark: Asset, constraint: string): boolean | null {
  if (landmark.type === POLICY_TYPE) return resourceSays(landmark.data, constraint);
  const policy = landmark.orgPolicies?.find(
    (one) => text(one, 'constraint') === `constraints/${constraint}`,
  );
  return policy === undefined ? null : child(policy, 'boolean_policy')?.enforced === true;
}

/** Of a policy named `projects/1/policies/<constraint>`. A rule for what has some tag is none for all. */
function resourceSays(policy: JsonObject | null, constraint: string): boolean | null {
  if (text(policy, 'name')?.endsWith(`/policies/${constraint}`) !== true) return null;
  const rule = objects(child(policy, 'spec'), 'rules').find(({ enforce }) => enforce !== undefined);
  return rule === undefined ? null : rule.enforce === true;
}
