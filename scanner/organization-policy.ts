import type { Asset } from './inventory/normalise.ts';
import { child, isTrue, type JsonObject, objects, text } from './json.ts';
import { type Project, projectsOf } from './project.ts';
import { containersOf, type Placed } from './project-reference.ts';
import { perGroup } from './reference-asset-groups.ts';
import { certain, knownOrNot } from './references.ts';
import type { Snapshot } from './snapshot.ts';
import { UnknownValue } from './terraform/unknown-value.ts';

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
 * else that of the nearest folder or organization above. False if the inventory has no setting. Null if the source of
 * the inventory refused to show organization policies, unless the setting of the project itself is known, as a
 * resource: a nearer setting than those that are known may decide.
 *
 * @param constraint without its prefix: `storage.publicAccessPrevention`; one that is off by Google's default
 */
export function enforcementOf(
  constraint: string,
): (snapshot: Snapshot) => (asset: Placed) => boolean | null {
  return (snapshot) => {
    const projects = snapshot.derive(projectsOf);
    const isRefused = snapshot.isRefused('ORG_POLICY');
    const byContainer = containerSettings(snapshot, constraint);
    const settingsOf = perGroup((group) => knownOrNot(() => settingsIn(group, constraint)));
    const known = new Map<Project, ProjectSettings>();
    const settingsFor = (project: Project) => {
      const settings = known.get(project) ?? projectSettings(project, settingsOf);
      known.set(project, settings);
      return settings;
    };
    return (asset) => {
      const project = projects.of(asset);
      const settings = project === null ? NO_SETTINGS : settingsFor(project);
      if (settings.own !== null) return settings.own;
      if (isRefused) return null;
      for (const container of asset.ancestors) {
        const enforced = byContainer.get(container);
        if (enforced !== undefined) return certain(enforced);
      }
      // The folders and organizations above the project by other assets.
      return settings.inFolders ?? settings.inOthers ?? false;
    };
  };
}

/** Whether each folder and organization with a setting enforces it; of a plan, it may be known only after apply. */
function containerSettings(
  snapshot: Snapshot,
  constraint: string,
): ReadonlyMap<string, boolean | UnknownValue> {
  const settings = new Map<string, boolean | UnknownValue>();
  for (const type of TYPES) {
    for (const referenceAsset of snapshot.each(type)) {
      const [container] = containersOf(referenceAsset);
      if (container === undefined || container.startsWith('projects/')) continue;
      const before = settings.get(container);
      const enforced = knownOrNot(() => saysOf(referenceAsset, constraint));
      if (enforced === null || before instanceof UnknownValue) continue;
      settings.set(
        container,
        enforced instanceof UnknownValue ? enforced : enforced || before === true,
      );
    }
  }
  return settings;
}

/** The settings of a constraint in a group; null where there are none. If several disagree, it counts as enforced. */
interface Settings {
  readonly inFolders: boolean | null;
  /** In organizations, or in the project for a group of its own assets. */
  readonly inOthers: boolean | null;
}

interface ProjectSettings extends Settings {
  readonly own: boolean | null;
}

const NO_SETTINGS: ProjectSettings = { own: null, inFolders: null, inOthers: null };

function settingsIn(group: readonly Asset[], constraint: string): Settings {
  let inFolders: boolean | null = null;
  let inOthers: boolean | null = null;
  for (const referenceAsset of group) {
    const enforced = saysOf(referenceAsset, constraint);
    const isInFolder = containersOf(referenceAsset)[0]?.startsWith('folders/') === true;
    if (isInFolder) inFolders = either(inFolders, enforced);
    else inOthers = either(inOthers, enforced);
  }
  return { inFolders, inOthers };
}

function projectSettings(
  project: Project,
  settingsOf: (group: readonly Asset[]) => Settings | UnknownValue,
): ProjectSettings {
  const known = (group: readonly Asset[]) => certain(settingsOf(group));
  let { own, inFolders, inOthers } = NO_SETTINGS;
  for (const type of TYPES) {
    own = either(own, known(project.own(type)).inOthers);
    for (const group of project.above(type)) {
      const settings = known(group);
      inFolders = either(inFolders, settings.inFolders);
      inOthers = either(inOthers, settings.inOthers);
    }
  }
  return { own, inFolders, inOthers };
}

function either(a: boolean | null, b: boolean | null): boolean | null {
  return a === null || b === null ? (a ?? b) : a || b;
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
