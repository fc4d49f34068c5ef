import { type Asset, parseAsset } from '../inventory/normalise.ts';
import type { JsonValue } from '../json.ts';

/** Builds the asset of an export's record for tests; omitted members are filled in. */
export function assetOf(record: {
  readonly type: string;
  readonly name?: string;
  readonly data?: JsonValue;
  readonly iamPolicy?: JsonValue;
  readonly orgPolicy?: JsonValue;
  readonly ancestors?: readonly string[];
}): Asset {
  const { type, name = `//${type}/it`, data, iamPolicy, orgPolicy, ancestors } = record;
  return parseAsset(
    JSON.stringify({
      name,
      asset_type: type,
      ...(data === undefined ? {} : { resource: { version: 'v1', data } }),
      ...(iamPolicy === undefined ? {} : { iam_policy: iamPolicy }),
      ...(orgPolicy === undefined ? {} : { org_policy: orgPolicy }),
      ...(ancestors === undefined ? {} : { ancestors }),
    }),
  );
}

/** An IAM policy of `role member` bindings. */
export function policyOf(...bindings: readonly string[]) {
  return {
    etag: 'BwWV9DYRcXA=',
    bindings: bindings.map((binding) => {
      const [role = '', ...members] = binding.split(' ');
      return { role, members };
    }),
  };
}
