import type { Evaluator } from '@cspm/scanner';
import type { CustomRuleJudge } from '../custom-rules/custom-rule-judge.ts';
import type { TenantConnection } from '../database/tenant-database.ts';
import {
  observeProjects,
  recordFindings,
  resolveFindings,
  type ScanOfProject,
} from '../findings/record.ts';
import { type Judged, judgeProjects } from './judge.ts';
import { knownRuleIds } from './ruleset.ts';
import type { Started } from './scan-begin.ts';
import { complete } from './scan-end.ts';
import { advance, holdDone } from './scan-progress.ts';
import { shareWriting } from './scan-write.ts';
import type { HeldSlot } from './slots.ts';

/** What a worker at a slot works with. */
export interface SlotWork {
  readonly slot: HeldSlot;
  readonly scan: ScanOfProject;
  readonly started: Started;
  readonly evaluator: Evaluator;
  /** For the tenant's own rules; null: there are none. */
  readonly customRules: CustomRuleJudge | null;
  /** Ids of the rules of the scan that look at one asset at a time. */
  readonly rulesOnAssets: readonly string[];
  /** Of those that look at a cloud project as a whole. */
  readonly rulesOnProjects: readonly string[];
}

/**
 * Ends a project's scan if all of its chunks are done: judges the cloud projects in it as a whole, resolves what was not
 * seen any more, and completes it. Of several workers that are done at once, one does this.
 */
export async function finish(db: TenantConnection, work: SlotWork, now: Date): Promise<void> {
  const { slot, scan, started, evaluator, rulesOnAssets, rulesOnProjects } = work;
  await shareWriting(db, slot);
  const assets = await holdDone(db, slot);
  if (assets === null) return;
  // What is missing would pass for gone, and its findings for resolved.
  if (assets !== started.assets) {
    throw new Error(`Of ${started.assets} assets of the inventory, ${assets} were there`);
  }
  const projects = judgeProjects(evaluator, slot);
  const recorded = await recordFindings(db, scan, projects.findings);
  await observeProjects(db, scan, rulesOnProjects, projects);
  await advance(db, slot, { chunks: 0, assets: 0, tally: projects.tally, recorded });
  const resolved = await resolveFindings(db, scan, {
    rulesOnAssets,
    assetTypes: started.assetTypes.map(({ type }) => type),
    rulesOnProjects: decidedSomewhere(rulesOnProjects, projects),
    knownRules: await knownRuleIds(db, rulesOnAssets),
  });
  await complete(db, slot, resolved, now);
}

/** A rule that could decide for no project has nothing to say of findings on projects that are gone either. */
function decidedSomewhere(ruleIds: readonly string[], projects: Judged): string[] {
  return ruleIds.filter((ruleId) =>
    projects.assetNames.some((assetName) => !projects.isUndecided(assetName, ruleId)),
  );
}
