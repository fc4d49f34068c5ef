import type { Asset } from '../inventory/normalise.ts';
import { text } from '../json.ts';

/*
 * Fields: serviceusage v1, discovery revision 20260921.
 */

/** Whether a service of Service Usage is the Cloud Asset API, by its asset name or by the name in its content. */
export function isCloudAssetApi({ name, data }: Asset): boolean {
  return [name, `/${text(data, 'name') ?? ''}`].some((path) =>
    path.endsWith('/cloudasset.googleapis.com'),
  );
}
