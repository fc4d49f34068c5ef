import { choiceParam, listParam, textParam } from '../../lib/search-params.ts';

export const FINDINGS = ['with', 'without'] as const;

/** What the address of the list contains: its filters. */
export interface AssetsSearch {
  readonly q?: string | undefined;
  readonly type?: readonly string[] | undefined;
  readonly location?: readonly string[] | undefined;
  readonly findings?: (typeof FINDINGS)[number] | undefined;
}

export function readAssetsSearch(raw: Record<string, unknown>): AssetsSearch {
  return {
    q: textParam(raw['q'], 200),
    type: listParam(raw['type']),
    location: listParam(raw['location']),
    findings: choiceParam(raw['findings'], FINDINGS),
  };
}

/** The filters of the API, under the names that they have there. */
export function filtersOf({ findings, ...others }: AssetsSearch) {
  return { ...others, hasFindings: findings === undefined ? undefined : findings === 'with' };
}

/** What the address of one asset contains. */
export interface AssetSearch {
  /** The full resource name. */
  readonly asset?: string | undefined;
  readonly type?: string | undefined;
}

export function readAssetSearch(raw: Record<string, unknown>): AssetSearch {
  return { asset: textParam(raw['asset']), type: textParam(raw['type'], 256) };
}
