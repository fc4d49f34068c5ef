import type { Asset } from '../inventory/normalise.ts';
import { text } from '../json.ts';

/** Whether a service of Service Usage is the Cloud Asset API: by its asset, or by the name that it gives itself. */
export function isCloudAssetApi({ name, data }: Asset): boolean {
  return [name, `/${text(data, 'name') ?? ''}`].some((path) =>
    path.endsWith('/cloudasset.googleapis.com'),
  );
}
