import { Readable } from 'node:stream';
import { Evaluator } from '../evaluate.ts';
import { parseAsset } from '../inventory/normalise.ts';
import { readInventory } from '../inventory/reader.ts';
import type { InventoryRecord } from '../inventory/record.ts';
import type { JsonObject } from '../json.ts';
import { resolveProfile } from '../profile.ts';
import { isReferenceAssetType, referenceAssetOf } from '../reference-asset.ts';
import { Snapshot } from '../snapshot.ts';

/** The records that the reader produces from a plan or a state. */
export async function recordsOf(document: unknown): Promise<InventoryRecord[]> {
  const source = Readable.from([Buffer.from(JSON.stringify(document, null, 2))]);
  const options = { format: 'json', maxBytes: 1e9, maxRecordBytes: 4 << 20 } as const;
  const records = [];
  for await (const record of readInventory(source, options)) records.push(record);
  return records;
}

/**
 * The verdicts of all rules on the assets and projects of a document, by rule and asset name, with both the full name
 * and its last part as keys: `bucket-public //storage.googleapis.com/site` and `bucket-public site`.
 */
export async function verdictsOf(document: JsonObject): Promise<Map<string, string>> {
  const profile = resolveProfile('full');
  if (profile === undefined) throw new Error('There is no profile named full.');
  const assets = (await recordsOf(document)).map((record) => parseAsset(record.text));
  const assetTypes = new Map<string, number>();
  for (const { type } of assets) assetTypes.set(type, (assetTypes.get(type) ?? 0) + 1);
  const referenceAssets = assets
    .filter(({ type }) => isReferenceAssetType(type))
    .flatMap((asset) => referenceAssetOf(asset) ?? []);
  const snapshot = new Snapshot({ assetTypes, referenceAssets });
  const evaluator = new Evaluator(profile, { now: new Date('2026-11-20T08:00:00Z'), snapshot });
  const evaluated = [
    ...assets.map((asset) => ({ asset, evaluations: evaluator.evaluate(asset) })),
    ...evaluator.evaluateProjects(),
  ];
  return new Map(
    evaluated.flatMap(({ asset, evaluations }) =>
      evaluations.flatMap(({ ruleId, verdict }) => [
        [`${ruleId} ${asset.name}`, verdict] as const,
        [`${ruleId} ${asset.name.slice(asset.name.lastIndexOf('/') + 1)}`, verdict] as const,
      ]),
    ),
  );
}
