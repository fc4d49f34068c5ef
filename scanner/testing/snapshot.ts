import type { Asset } from '../inventory/normalise.ts';
import { landmarkOf } from '../landmark.ts';
import { projectOf } from '../project-reference.ts';
import { Snapshot } from '../snapshot.ts';

/** The snapshot of an inventory that holds just these assets, made as intake makes it. */
export function snapshotOf(assets: readonly Asset[]): Snapshot {
  const assetTypes = new Map<string, number>();
  for (const { type } of assets) assetTypes.set(type, (assetTypes.get(type) ?? 0) + 1);
  return new Snapshot({
    assetTypes,
    landmarks: assets.map(landmarkOf).filter((landmark) => landmark !== null),
    projects: new Set(assets.map(projectOf).filter((project) => project !== null)),
  });
}
