// What other modules may import from this one, in addition to queries.ts.
export { blockersOf, runPreflight } from './preflight.ts';
export type { PackedVerdict } from './verdict-packer.ts';
export { type AssetPlace, findLastVerdicts } from './verdict-records.ts';
