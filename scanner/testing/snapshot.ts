import type { ContentKind } from '../inventory/envelope.ts';
import type { Asset } from '../inventory/normalise.ts';
import { projectOf } from '../project-reference.ts';
import { referenceAssetOf } from '../reference-asset.ts';
import { Snapshot } from '../snapshot.ts';

/** The snapshot of an inventory with only these assets, built as ingestion builds it. */
export function snapshotOf(
  assets: readonly Asset[],
  refusedKinds: readonly ContentKind[] = [],
): Snapshot {
  const assetTypes = new Map<string, number>();
  for (const { type } of assets) assetTypes.set(type, (assetTypes.get(type) ?? 0) + 1);
  return new Snapshot({
    assetTypes,
    referenceAssets: assets
      .map(referenceAssetOf)
      .filter((referenceAsset) => referenceAsset !== null),
    projects: new Set(assets.map(projectOf).filter((project) => project !== null)),
    refusedKinds,
  });
}
