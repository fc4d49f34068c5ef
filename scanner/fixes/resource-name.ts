/**
 * The parts of a full resource name by their kind in the singular: `//compute.googleapis.com/projects/p/zones/z/disks/d`
 * has a project, a zone and a disk. `name` is the last part; `location` is a zone or region too.
 */
export function partsOfName(fullName: string): ReadonlyMap<string, string> {
  const [, path = ''] = /^\/\/[^/]*\/(.*)$/s.exec(fullName) ?? [];
  const segments = path.split('/');
  const parts = new Map<string, string>();
  for (let index = 0; index + 1 < segments.length; index += 2) {
    const kind = singularOf(segments[index] ?? '');
    const value = segments[index + 1] ?? '';
    if (kind !== '' && value !== '') parts.set(kind, value);
  }
  const name = segments.at(-1) ?? '';
  if (name !== '') parts.set('name', name);
  const location = parts.get('location') ?? parts.get('zone') ?? parts.get('region');
  if (location !== undefined) parts.set('location', location);
  return parts;
}

function singularOf(collection: string): string {
  return collection.replace(/ies$/, 'y').replace(/s$/, '');
}
