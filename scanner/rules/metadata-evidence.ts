import { cite, type Evidence } from '../evidence.ts';

/** Cites a boolean in the metadata of an instance or a project; null if it is not set. */
export function citeSwitch(
  metadata: 'metadata' | 'commonInstanceMetadata',
  key: string,
  value: boolean | null,
): readonly Evidence[] {
  return [cite(`${metadata}.items[].key`, key), cite(`${metadata}.items[].value`, value)];
}
