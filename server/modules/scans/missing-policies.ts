import { parseAsset, RULES } from '@cspm/scanner';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import { findUnseen, leaveOpen, type UnseenOn } from '../findings/index.ts';
import { readChunks, unpack } from '../inventories/index.ts';
import type { SlotWork } from './slot-work.ts';

/*
 * Some rules evaluate the policies of assets of any type. They give UNKNOWN for an asset without a policy only if its type
 * commonly has one, because the assets of the other types are too many for a verdict on each. A finding on such an asset
 * is therefore looked up at the end of the scan: see decision 0007.
 */

const ON_ANY_POLICY = RULES.filter(
  (rule) => 'looksAtEveryPolicy' in rule && rule.looksAtEveryPolicy === true,
);

/** Whether a rule gives no verdict for an asset of any type without a policy. */
export function needsPolicy(ruleId: string): boolean {
  return ON_ANY_POLICY.some(({ id }) => id === ruleId);
}

/**
 * Marks the unseen findings of these rules whose assets have no policy in the inventory, which must have an index. They
 * stay open.
 */
export async function leaveOpenWithoutPolicy(
  db: TenantConnection,
  { scan, started: { inventoryId, assetTypes }, rulesOnAssets }: SlotWork,
  seen: Pick<UnseenOn, 'repeatedScanId' | 'among'>,
): Promise<void> {
  for (const rule of ON_ANY_POLICY) {
    if (!rulesOnAssets.includes(rule.id)) continue;
    const decided = new Set(rule.assetTypes);
    const others = assetTypes.map(({ type }) => type).filter((type) => !decided.has(type));
    const on = { ...seen, inventoryId, ruleId: rule.id, assetTypes: others };
    for (const { seq, lines } of await findUnseen(db, scan, on)) {
      const findings = Object.entries(lines);
      const among = new Set(findings.map(([, line]) => line));
      const without = await linesWithoutPolicy(db, inventoryId, seq, among);
      const undecided = findings.filter(([, line]) => without.has(line));
      await leaveOpen(
        db,
        scan,
        undecided.map(([id]) => id),
      );
    }
  }
}

/** @param among lines of the chunk */
async function linesWithoutPolicy(
  db: TenantConnection,
  inventoryId: string,
  seq: number,
  among: ReadonlySet<number>,
): Promise<Set<number>> {
  const texts = await unpack(await readChunks(db, inventoryId, { fromSeq: seq, toSeq: seq + 1 }));
  // The chunk is larger than what the statement returned, because that was compressed.
  await db.turn();
  const without = new Set<number>();
  let line = 0;
  for (const text of texts) {
    if (among.has(line) && !hasPolicy(text)) without.add(line);
    line += 1;
  }
  return without;
}

/** Most assets without a policy are recognized without parsing them: a large one would block the process. */
function hasPolicy(text: string): boolean {
  return POLICY_MEMBER.test(text) && parseAsset(text).iamPolicy !== null;
}

const POLICY_MEMBER = /"(?:iamPolicy|iam_policy)"/;
