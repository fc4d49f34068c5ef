import { type CelError, type CelInput, celError, isCelError, parse, plan } from '@bufbuild/cel';
import type { Asset } from '../inventory/normalise.ts';
import type { JsonObject } from '../json.ts';
import { JsonMap } from './cel-json.ts';
import { ENVIRONMENT } from './environment.ts';

/**
 * The variables of a predicate, with the kind of each value:
 * - `resource`: `resource.data` is the content of the asset as its API describes it; its members are also directly
 * below `resource`, where predicates for Google's Security Health Analytics expect them;
 * - `iam_policy`, or `iamPolicy`: the policy set on the asset itself;
 * - `asset`: `name`, `type` and `ancestors`, which every asset has;
 * - `now`: the time of the scan.
 */
export const VARIABLES = {
  resource: 'map',
  iam_policy: 'map',
  iamPolicy: 'map',
  asset: 'map',
  now: 'google.protobuf.Timestamp',
} as const;

export type Variable = keyof typeof VARIABLES;

export function isVariable(name: string): name is Variable {
  return Object.hasOwn(VARIABLES, name);
}

export type Bindings = Record<string, CelInput>;

/** Created once per asset and shared by all rules. */
const made = new WeakMap<Asset, { readonly now: Date; readonly bindings: Bindings }>();

/**
 * The values of the variables for this asset. Content missing from the inventory is an error, which only `||` and `&&`
 * tolerate.
 */
export function bindingsOf(asset: Asset, now: Date): Bindings {
  const known = made.get(asset);
  if (known?.now === now) return known.bindings;
  const policy = contentOr(asset.iamPolicy, 'IAM_POLICY', (content) => new JsonMap(content));
  const { name, type, ancestors } = asset;
  // Without a prototype, because the evaluator also looks up names that we do not define.
  const bindings: Bindings = Object.assign(Object.create(null), {
    resource: contentOr(asset.data, 'RESOURCE', resourceOf),
    iam_policy: policy,
    iamPolicy: policy,
    asset: new JsonMap({ name, type, ancestors }),
    now: timestampOf(now),
  });
  made.set(asset, { now, bindings });
  return bindings;
}

function contentOr(
  content: JsonObject | null,
  kind: string,
  bind: (content: JsonObject) => CelInput,
): CelInput | CelError {
  return content === null ? celError(kind) : bind(content);
}

/** A member called `data` is available only as `resource.data.data`. */
function resourceOf(data: JsonObject): CelInput {
  const resource = new JsonMap(data);
  resource.set('data', new JsonMap(data));
  return resource;
}

const toTimestamp = plan(ENVIRONMENT, parse('timestamp(text)'));
const timestamps = new WeakMap<Date, CelInput>();

function timestampOf(moment: Date): CelInput {
  const known = timestamps.get(moment);
  if (known !== undefined) return known;
  const timestamp = toTimestamp({ text: moment.toISOString() });
  if (isCelError(timestamp)) throw timestamp;
  timestamps.set(moment, timestamp);
  return timestamp;
}
