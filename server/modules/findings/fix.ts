import type { contract } from '@cspm/contract';
import {
  type Fix,
  type FixRequest,
  type FixResult,
  NOT_BUILT_IN,
  RULES,
  type Rule,
  Snapshot,
  verifiedFixInSteps,
} from '@cspm/scanner';
import type { z } from 'zod';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import { findStoredAsset } from '../inventories/index.ts';
import { findFixSource } from './fix-queries.ts';
import type { FindingRow } from './queries.ts';

const BUILT_IN: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

/** Rules that read other assets are not evaluated here, because their data would have to be loaded for each request. */
const NO_OTHER_ASSETS = new Snapshot({ assetTypes: new Map() });

/** The fix of a finding, proved on the stored asset, or why there is none. */
export async function fixOf(db: TenantConnection, row: FindingRow, now: Date) {
  if (row.status === 'resolved') return none('the finding is resolved');
  const rule = BUILT_IN.get(row.rule_id);
  if (rule?.fix === undefined) return none(rule?.noFix ?? NOT_BUILT_IN);
  const source = await findFixSource(db, row.id);
  if (source === null || source.inventory_id === null) return none(NOT_STORED);
  const asset = { name: row.asset_name, type: row.asset_type };
  const text = await findStoredAsset(db, source.inventory_id, asset);
  if (text === null) return none(NOT_STORED);
  const { parameters } = source;
  const request = { ruleId: rule.id, text, ...(parameters !== null && { parameters }) };
  const { fix, reason } = await proved(db, request, now);
  return fix === null ? none(reason) : { fix: fixView(fix), noFix: null };
}

/** Takes one turn of the tenant for each step: together they take tens of milliseconds for the largest assets. */
async function proved(db: TenantConnection, request: FixRequest, now: Date): Promise<FixResult> {
  const steps = verifiedFixInSteps(request, { now, snapshot: NO_OTHER_ASSETS });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await db.turn();
  }
}

const NOT_STORED = 'the asset was not found in the stored inventory';

function none(noFix: string) {
  return { fix: null, noFix };
}

type View = z.infer<(typeof contract.findings.get.responses)[200]>;
type PatchView = NonNullable<View['fix']>['patch'];

function fixView({ patch, gcloud, terraform, caution }: Fix) {
  return {
    patch: patch.map((operation) => ({ ...operation })) as PatchView,
    gcloud,
    terraform: terraform.map((setting) => ({ ...setting })),
    caution,
    verified: true as const,
  };
}
