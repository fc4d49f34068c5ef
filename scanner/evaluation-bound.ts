import type { ContentKind } from './inventory/envelope.ts';
import type { InventoryRecord } from './inventory/record.ts';
import { projectOf } from './project-reference.ts';
import { isReferenceAssetType } from './reference-asset.ts';
import type { Rule } from './rule.ts';

/** The description of a rule, available without evaluating it. */
export interface RuleOutline {
  readonly id: string;
  readonly assetTypes: readonly string[];
  readonly needs: readonly ContentKind[];
  /** Whether the rule is evaluated once per cloud project instead of once per asset of its types. */
  readonly onProjects: boolean;
  /** Whether the rule is also evaluated on assets of every type that have an IAM policy. */
  readonly onEveryPolicy: boolean;
}

export function outlineOf(rule: Rule): RuleOutline {
  const { id, assetTypes, needs } = rule;
  const onEveryPolicy = 'looksAtEveryPolicy' in rule && rule.looksAtEveryPolicy === true;
  return { id, assetTypes, needs, onProjects: 'evaluateProject' in rule, onEveryPolicy };
}

/** Counts recorded while an inventory is uploaded. */
export interface InventoryCounts {
  /** Number of assets of each type. */
  readonly types: ReadonlyMap<string, number>;
  /** Number of assets of each type that have an IAM policy; null if not counted. */
  readonly policies: ReadonlyMap<string, number> | null;
  /** References to cloud projects, in the form of `SnapshotContent.projects`; null if not recorded. */
  readonly projects: readonly string[] | null;
  /**
   * Number of records that may belong to a cloud project missing from `projects`: they name it only in their content,
   * or `projects` was full. Null if not counted.
   */
  readonly unplaced: number | null;
}

/**
 * An upper bound on the evaluations that a scan of this inventory makes with these rules. Linear time in the rules,
 * their types and the inventory's types and projects.
 */
export function evaluationsAtMost(
  rules: readonly RuleOutline[],
  inventory: InventoryCounts,
): number {
  const projects = projectsAtMost(inventory);
  const withPolicy = inventory.policies ?? inventory.types;
  const allPolicies = sumOf(withPolicy.values());
  let total = 0;
  for (const { assetTypes, onProjects, onEveryPolicy } of rules) {
    if (onProjects) {
      total += projects;
      continue;
    }
    total += sumOf(assetTypes.map((type) => inventory.types.get(type) ?? 0));
    if (!onEveryPolicy) continue;
    total += allPolicies - sumOf(assetTypes.map((type) => withPolicy.get(type) ?? 0));
  }
  return total;
}

/** Maximum number of project references recorded for an inventory. */
const PROJECTS_NOTED = 1_000;

/** Types of assets whose content names a cloud project, regardless of their own name. */
const PROJECT_TYPES: readonly string[] = [
  'cloudresourcemanager.googleapis.com/Project',
  'compute.googleapis.com/Project',
];

/** Types that are kept for other rules without their ancestors, so only their name identifies the project. */
const PLACED_BY_NAME = 'storage.googleapis.com/Bucket';

/** Records the cloud projects of an inventory while it is ingested, in bounded memory. */
export class ProjectNotes {
  readonly #projects = new Set<string>();
  readonly #most: number;
  #unplaced = 0;

  constructor(most = PROJECTS_NOTED) {
    this.#most = most;
  }

  /** @param record with its project, as `projectOf` writes it */
  note({ name, type, project }: Pick<InventoryRecord, 'name' | 'type' | 'project'>): void {
    if (project !== null && this.#projects.size < this.#most) this.#projects.add(project);
    if (project !== null && this.#projects.has(project)) return;
    const byName = projectOf({ name, ancestors: [] });
    const names = project !== null || byName !== null || PROJECT_TYPES.includes(type);
    if (names && isReferenceAssetType(type)) this.#unplaced += 1;
  }

  /** In the form of `InventoryCounts`. */
  get projects(): readonly string[] {
    return [...this.#projects];
  }

  get unplaced(): number {
    return this.#unplaced;
  }
}

/**
 * An upper bound on the cloud projects that the rules on whole projects distinguish. References in one string mean the
 * same project; other evidence that two projects are the same is ignored, since it only lowers the number.
 */
function projectsAtMost({ projects, types, unplaced }: InventoryCounts): number {
  if (projects === null) return sumOf(types.values());
  return groupsOf(projects) + (unplaced ?? unplacedAtMost(projects, types));
}

function unplacedAtMost(projects: readonly string[], types: InventoryCounts['types']): number {
  const isFull = projects.length >= PROJECTS_NOTED;
  if (isFull) return sumOf(types.values());
  return sumOf([...PROJECT_TYPES, PLACED_BY_NAME].map((type) => types.get(type) ?? 0));
}

/** Number of groups after merging word lists that share a word (union-find). */
function groupsOf(lists: readonly string[]): number {
  const parents = new Map<string, string>();
  const rootOf = (word: string): string => {
    let root = word;
    for (
      let next = parents.get(root);
      next !== undefined && next !== root;
      next = parents.get(root)
    ) {
      root = next;
    }
    // Path compression.
    for (let at = word; at !== root; ) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  for (const list of lists) {
    const [first = '', ...others] = list.split(' ');
    const root = rootOf(first);
    parents.set(root, root);
    for (const other of others) parents.set(rootOf(other), root);
  }
  return [...parents].filter(([word, parent]) => word === parent).length;
}

function sumOf(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}
