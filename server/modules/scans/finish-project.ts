import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import {
  type NotedFindings,
  observeProjects,
  type RecordedCount,
  recordFindings,
  resolveFindings,
} from '../findings/index.ts';
import { holdIndex } from '../inventories/index.ts';
import { lockPosture, type OpenCounts, openFindings, recordPosture } from '../posture/index.ts';
import { knownRuleIds } from '../rules/index.ts';
import { leaveOpenWithoutPolicy } from './missing-policies.ts';
import { checkProjectsRepeated, type RepeatableProject, repeatProject } from './repeat-project.ts';
import { complete } from './scan-end.ts';
import type { Evaluated } from './scan-evaluator.ts';
import { shareWriting } from './scan-lock.ts';
import { advance, holdDone, seenFindings } from './scan-progress.ts';
import type { SlotWork } from './slot-work.ts';
import { dropOlderVerdicts, PROJECTS_SEQ, recordVerdicts } from './verdict-records.ts';

/** What is known about a project's scan before it ends. */
export interface Outcome {
  /** Whether there may be findings to resolve. */
  readonly mayResolve: boolean;
  /** Results of the rules for whole projects, evaluated before so that the scan is not locked meanwhile. */
  readonly projects: Evaluated;
  /** Whether `observeInventory` has marked the findings of all assets. */
  readonly isObserved: boolean;
  /** The results of an earlier scan, to be repeated for all chunks. Null: all chunks are done. */
  readonly repeated: RepeatableProject | null;
}

/** The inventory has no index, which would tell the assets that were evaluated. */
export class NotIndexed extends Error {}

/**
 * Ends a project's scan when all its chunks are done, or are repeated here: resolves findings that were not seen again, then completes it and
 * records the posture. When several workers finish together, one of them does this.
 * @throws {NotIndexed} when `observeInventory` is needed before; {NotRepeatable} when `repeated` cannot be repeated.
 */
export async function finish(
  db: TenantConnection,
  work: SlotWork,
  { projects, mayResolve, isObserved, repeated }: Outcome,
  now: Date,
): Promise<void> {
  const { slot, scan, started, rulesOnAssets, rulesOnProjects } = work;
  await shareWriting(db, slot);
  const noted =
    repeated === null ? null : { ...repeated, ...(await repeatProject(db, work, repeated)) };
  if (noted !== null) await advance(db, slot, { ...noted, recorded: noted.counts });
  const assets = await holdDone(db, slot);
  if (assets === null) return;
  // Missing assets would count as deleted, and their findings would be resolved.
  if (assets !== started.assets) {
    throw new Error(`Expected ${started.assets} assets in the inventory but read ${assets}`);
  }
  if (mayResolve && !isObserved && !(await holdIndex(db, started.inventoryId))) {
    throw new NotIndexed();
  }
  const seen = {
    repeatedScanId: noted?.earlier.writtenBy ?? null,
    among: noted?.others ?? null,
  };
  if (mayResolve && !isObserved) await leaveOpenWithoutPolicy(db, work, seen);
  const recorded = await recordFindings(db, scan, projects.findings);
  await recordVerdicts(db, slot, PROJECTS_SEQ, projects.chunks, work.evaluatedBy);
  if (mayResolve) await observeProjects(db, scan, rulesOnProjects, projects);
  await advance(db, slot, {
    chunks: 0,
    assets: 0,
    verdictCounts: projects.verdictCounts,
    recorded,
  });
  const resolved = mayResolve
    ? await resolveFindings(db, scan, {
        inventoryId: started.inventoryId,
        rulesOnAssets,
        assetTypes: started.assetTypes.map(({ type }) => type),
        rulesOnProjects: decidedSomewhere(rulesOnProjects, projects),
        rulesNotOnAssets: rulesOnProjects,
        knownRules: await knownRuleIds(db, rulesOnAssets),
        ...seen,
      })
    : [];
  if (noted !== null) await checkProjectsRepeated(db, work, noted);
  const resolvedCount = resolved.reduce((total, { count }) => total + count, 0);
  await complete(db, slot, resolvedCount, now);
  await dropOlderVerdicts(db, slot);
  const { projectId, scanId } = slot;
  // Where nothing was open before, only what the scan has seen is open now.
  const open = mayResolve
    ? await openAtEnd(db, projectId, noted, recorded)
    : await seenFindings(db, slot);
  await lockPosture(db);
  await recordPosture(db, { projectId, scanId, at: now, rules: work.rules, open, resolved });
}

/** The open findings of the project, also those that this scan has not seen. What was noted is not read a second time. */
async function openAtEnd(
  db: TenantConnection,
  projectId: string,
  noted: NotedFindings | null,
  recorded: readonly RecordedCount[],
): Promise<OpenCounts> {
  if (noted === null || noted.others === null) return await openFindings(db, projectId);
  const open = await openFindings(db, projectId, { among: noted.others });
  // An unchanged finding was open before, and is one of the others.
  const further = recorded.filter(({ delta }) => delta !== 'unchanged');
  for (const { severity, count } of [...noted.counts, ...further]) open[severity] += count;
  return open;
}

/** Rules that gave a result for at least one project. The others must not resolve findings on deleted projects. */
function decidedSomewhere(ruleIds: readonly string[], projects: Evaluated): string[] {
  return ruleIds.filter((ruleId) =>
    projects.assetNames.some((assetName) => !projects.isUndecided(assetName, ruleId)),
  );
}
