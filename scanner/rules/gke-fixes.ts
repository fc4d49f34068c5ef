import type { Remedy, Repair } from '../fixes/repair.ts';
import { isObject, items, type JsonObject, type JsonValue, text } from '../json.ts';

/** The words that name a cluster, or the cluster of a node pool, in commands. */
export const CLUSTER = '{name} --location={location} --project={project}';
export const POOL = '--cluster={name} --location={location} --project={project}';

interface NodePool {
  readonly data: JsonObject;
  /** The values of placeholders in commands. */
  readonly values: { readonly pool: string };
  /** The attributes that identify it in Terraform. */
  readonly match: { readonly name: string };
}

/** Calls `change` for each node pool with a function that sets a value in it. */
export function eachNodePool(
  repair: Repair,
  change: (pool: NodePool, set: (path: string, value: JsonValue) => void) => void,
): void {
  const spelling = items(repair.data, 'nodePools').length > 0 ? 'nodePools' : 'nodePool';
  items(repair.data, spelling).forEach((pool, index) => {
    if (!isObject(pool)) return;
    const name = text(pool, 'name') ?? String(index);
    change({ data: pool, values: { pool: name }, match: { name } }, (path, value) =>
      repair.set([spelling, index, ...path.split('.')], value),
    );
  });
}

/** A setting that a rule needs in each node pool. */
interface PoolSetting {
  readonly admits: (pool: JsonObject) => boolean;
  readonly path: string;
  readonly value: JsonValue;
  /** `clusters upgrade` names the pool by an option, the commands on node pools as their object. */
  readonly gcloud: 'clusters upgrade' | 'node-pools update {pool}';
  readonly option: string;
  /** The attribute of `google_container_node_pool`. */
  readonly attribute: string;
  readonly caution?: string;
}

export function poolSetting(setting: PoolSetting): Remedy {
  const { admits, path, value, gcloud, option, attribute, caution } = setting;
  const place = gcloud === 'clusters upgrade' ? `${CLUSTER} --node-pool={pool}` : POOL;
  return (repair) => {
    eachNodePool(repair, (pool, set) => {
      if (admits(pool.data)) return;
      set(path, value);
      repair.gcloud(`container ${gcloud} ${place} ${option}`, pool.values);
      repair.terraform('google_container_node_pool', attribute, value, pool.match);
    });
    if (caution !== undefined) repair.caution(caution);
  };
}
