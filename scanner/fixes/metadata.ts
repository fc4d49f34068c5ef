import { child, isObject, items, type JsonValue } from '../json.ts';
import type { Remedy, Repair } from './repair.ts';

type Metadata = 'metadata' | 'commonInstanceMetadata';

/** Sets an item in the metadata of an instance, or in the common metadata of a project. */
export function setMetadata(repair: Repair, metadata: Metadata, key: string, value: string): void {
  const own = child(repair.data, metadata);
  const spelling =
    items(own, 'items').length === 0 && items(own, 'item').length > 0 ? 'item' : 'items';
  const list = items(own, spelling);
  const index = list.findIndex((item) => isObject(item) && item.key === key);
  if (index >= 0) repair.set([metadata, spelling, index, 'value'], value);
  else if (list.length > 0) repair.set([metadata, spelling, list.length], { key, value });
  else repair.set([metadata, spelling], [{ key, value }]);
}

const INSTANCE = '{name} --zone={zone} --project={project}';

/** The remedy of a rule that needs an item in the metadata of an instance. */
export function instanceMetadata(key: string, value: string, caution?: string): Remedy {
  return (repair) => {
    setMetadata(repair, 'metadata', key, value);
    repair.gcloud(`compute instances add-metadata ${INSTANCE} --metadata=${key}=${value}`);
    repair.terraform('google_compute_instance', `metadata.${key}`, value);
    if (caution !== undefined) repair.caution(caution);
  };
}

/** Removes items from the metadata of an instance. */
export function removeInstanceMetadata(
  repair: Repair,
  isRemoved: (item: { readonly key: string; readonly value: JsonValue | undefined }) => boolean,
): void {
  const keys = new Set<string>();
  repair.filterOut('metadata', ['items', 'item'], (item) => {
    if (!isObject(item)) return false;
    const key = typeof item.key === 'string' ? item.key : '';
    if (!isRemoved({ key, value: item.value })) return false;
    keys.add(key);
    return true;
  });
  repair.gcloud(`compute instances remove-metadata ${INSTANCE} --keys={keys}`, { keys: [...keys] });
  for (const key of keys) repair.terraform('google_compute_instance', 'metadata', null, { key });
}
