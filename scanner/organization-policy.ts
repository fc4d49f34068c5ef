import type { Asset } from './inventory/normalise.ts';
import { child, isTrue, type JsonObject, objects, text } from './json.ts';
import { type Project, projectsOf } from './project.ts';
import { containersOf, type Placed } from './project-reference.ts';
import { perGroup } from './reference-asset-groups.ts';
import type { Snapshot } from './snapshot.ts';

const POLICY_TYPE = 'orgpolicy.googleapis.com/Policy';

/** The types that carry organization policies: the containers they are set on, and separate policy resources. */
const TYPES = [
  'cloudresourcemanager.googleapis.com/Project',
  'cloudresourcemanager.googleapis.com/Folder',
  'cloudresourcemanager.googleapis.com/Organization',
  POLICY_TYPE,
];

/**
 * For `Snapshot.derive`: whether a boolean constraint is enforced for an asset. The setting of its project decides,
 * else that of the nearest folder or organization above. False if the inventory has no setting or the asset's project
 * is unknown. Null if the source of the inventory refused to show organization policies, unless the setting of the
 * project itself is known, as a resource: a nearer setting than those that are known may decide.
 *
 * @param constraint without its prefix: `storage.publicAccessPrevention`; one that is off by Google's default
 */
export function enforcementOf(
  constraint: string,
): (snapshot: Snapshot) => (asset: Placed) => boolean | null {
  return (snapshot) => {
    const projects = snapshot.derive(projectsOf);
    const known = new Map<Project, boolean | null>();
    const isRefused = snapshot.isRefused('ORG_POLICY');
    const settingsOf = perGroup((group) => settingsIn(group, constraint));
    return (asset) => {
      const project = projects.of(asset);
      if (project === null) return isRefused ? null : false;
      const before = known.get(project);
      if (before !== undefined) return before;
      const { distance, isOn } = nearestSetting(project, asset.ancestors, settingsOf);
      const enforced = isRefused && distance > 0 ? null : isOn;
      known.set(project, enforced);
      return enforced;
    };
  };
}

/**
 * @param ancestors of any asset in the project, from the project upwards
 * @returns the setting, and how far above the project it is; off and at an infinite distance if there is none
 */
function nearestSetting(
  project: Project,
  ancestors: readonly string[],
  settingsOf: (group: readonly Asset[]) => readonly Setting[],
): { readonly distance: number; readonly isOn: boolean } {
  const levels = new Map<string, number>();
  for (const one of ancestors) if (!levels.has(one)) levels.set(one, levels.size + 1);
  let nearest = Number.POSITIVE_INFINITY;
  let isOn = false;
  const note = (enforced: boolean, distance: number) => {
    if (distance > nearest) return;
    isOn = enforced || (distance === nearest && isOn);
    nearest = distance;
  };
  for (const type of TYPES) {
    for (const { enforced } of settingsOf(project.own(type))) note(enforced, 0);
    for (const group of project.above(type)) {
      for (const { enforced, container } of settingsOf(group)) {
        note(enforced, distanceTo(container, levels));
      }
    }
  }
  return { distance: nearest, isOn };
}

/** The settings of a constraint by folder or organization. */
interface Setting {
  readonly container: string;
  readonly enforced: boolean;
}

/** One setting per container: if several reference assets disagree, it counts as enforced. */
function settingsIn(group: readonly Asset[], constraint: string): readonly Setting[] {
  const settings = new Map<string, boolean>();
  for (const referenceAsset of group) {
    const enforced = saysOf(referenceAsset, constraint);
    if (enforced === null) continue;
    const [container = ''] = containersOf(referenceAsset);
    settings.set(container, enforced || settings.get(container) === true);
  }
  return [...settings].map(([container, enforced]) => ({ container, enforced }));
}

/** If the ancestors do not contain it, folders take precedence over the organization. */
function distanceTo(container: string, levels: ReadonlyMap<string, number>): number {
  const level = levels.get(container);
  if (level !== undefined) return level;
  return levels.size + (container.startsWith('folders/') ? 1 : 2);
}

/** Null without a setting. A policy that restores Google's default, which is off, counts as not enforced. */
function saysOf(referenceAsset: Asset, constraint: string): boolean | null {
  if (referenceAsset.type === POLICY_TYPE) return resourceSays(referenceAsset.data, constraint);
  const policy = referenceAsset.orgPolicies?.find(
    (one) => text(one, 'constraint') === `constraints/${constraint}`,
  );
  return policy === undefined ? null : child(policy, 'boolean_policy')?.enforced === true;
}

/**
 * For a policy named `projects/1/policies/<constraint>`, or `policies/<constraint>` in a plan. A rule that is limited to a
 * tag does not count.
 */
function resourceSays(policy: JsonObject | null, constraint: string): boolean | null {
  if (`/${text(policy, 'name')}`.endsWith(`/policies/${constraint}`) !== true) return null;
  const spec = child(policy, 'spec');
  if (isTrue(spec, 'reset')) return false;
  const rule = objects(spec, 'rules').find(
    (one) => one.enforce !== undefined && child(one, 'condition') === null,
  );
  return rule === undefined ? null : rule.enforce === true;
}
