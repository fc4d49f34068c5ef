import { parseAsset } from '@cspm/scanner';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import { EventLoopYielder } from '../../platform/event-loop-yield.ts';
import { observeAssets } from '../findings/index.ts';
import { readChunks, unpack } from '../inventories/index.ts';
import { holdSlot } from './leases.ts';
import { needsPolicy } from './missing-policies.ts';
import { shareWriting } from './scan-lock.ts';
import type { SlotWork } from './slot-work.ts';

/**
 * Marks the open findings of all assets of an inventory without an index. Steps have marked those of assets on which a
 * rule gave no result; they stay as they are. So do those of rules that give no verdict for an asset without a policy.
 * May be repeated after a crash.
 * @throws {LeaseLost} when another worker holds the slot, {Ended} when the scan has ended.
 */
export async function observeInventory(tenants: TenantDatabase, work: SlotWork): Promise<void> {
  const { tenantId } = work.slot;
  const yielder = new EventLoopYielder();
  for (let seq = 0; ; seq += 1) {
    const chunks = await tenants.read(tenantId, (db) =>
      readChunks(db, work.started.inventoryId, { fromSeq: seq, toSeq: seq + 1 }),
    );
    if (chunks.length === 0) return;
    const assetNames: string[] = [];
    const withoutPolicy = new Set<string>();
    for (const text of await unpack(chunks)) {
      if (yielder.isDue) await yielder.yieldNow();
      const { name, iamPolicy } = parseAsset(text);
      assetNames.push(name);
      if (iamPolicy === null) withoutPolicy.add(name);
    }
    await tenants.write(tenantId, async (db) => {
      await shareWriting(db, work.slot);
      await holdSlot(db, work.slot);
      const isUndecided = (assetName: string, ruleId: string) =>
        needsPolicy(ruleId) && withoutPolicy.has(assetName);
      await observeAssets(db, work.scan, work.rulesOnProjects, { assetNames, isUndecided });
    });
  }
}
