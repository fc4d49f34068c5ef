type Json = Record<string, unknown>;

/** The members of a record that hold the content of each type. */
const MEMBER_OF = {
  RESOURCE: 'resource',
  IAM_POLICY: 'iamPolicy',
  ORG_POLICY: 'orgPolicy',
} as const;

export type ServedContent = keyof typeof MEMBER_OF;

const LOG_TYPES = ['LOG_TYPE_UNSPECIFIED', 'ADMIN_READ', 'DATA_WRITE', 'DATA_READ'];

/** A record of `gcloud asset export` as the REST API returns it: camel case around the data of the resource. */
export function apiFormOf(line: string): Json {
  return camelCased(JSON.parse(line)) as Json;
}

/** The asset with one content type only; null if the record has none of it. */
export function withContent(asset: Json, content: ServedContent): Json | null {
  const member = MEMBER_OF[content];
  if (asset[member] === undefined) return null;
  const { name, assetType, ancestors, updateTime } = asset;
  return { name, assetType, [member]: asset[member], ancestors, updateTime };
}

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      // Both forms write the names of the service's own API here.
      if (name === 'data') return [name, inner];
      if (camel === 'logType' && typeof inner === 'number') return [camel, LOG_TYPES[inner]];
      return [camel, camelCased(inner)];
    }),
  );
}
