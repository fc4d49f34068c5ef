import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { z } from 'zod';

const KINDS = [ConfigMap, Deployment, Job, Namespace, NetworkPolicy, PodDisruptionBudget, Service];

const Typed = z.object({ apiVersion: z.string(), kind: z.string() });

/** What the schemas of the Kubernetes API (of 1.33, by kubernetes-models) say of a manifest. */
export function manifestFaults(manifest: unknown): string[] {
  const typed = Typed.safeParse(manifest);
  if (!typed.success) return ['has no apiVersion and kind'];
  const { apiVersion, kind } = typed.data;
  const model = KINDS.find((known) => known.apiVersion === apiVersion && known.kind === kind);
  if (model === undefined) {
    return [
      `${apiVersion} ${kind} has no schema here: add it to scripts/deployment/manifest-schemas.ts`,
    ];
  }
  const reads = new Reads();
  try {
    model.prototype.validate.call(reads.watch(manifest));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return reads
    .unread(manifest)
    .map((path) => `${path} is no field of ${apiVersion} ${kind}: the cluster would drop it`);
}

/**
 * The schemas of the API let unknown fields pass, and so would a slip of the pen. A validator reads each field that it
 * knows, in maps every one: a field that is there and was not read is one that nobody knows.
 */
class Reads {
  readonly #read = new Map<object, Set<PropertyKey>>();

  watch(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const read = this.#read.get(value) ?? new Set();
    this.#read.set(value, read);
    return new Proxy(value, {
      get: (target, key, receiver) => {
        read.add(key);
        return this.watch(Reflect.get(target, key, receiver));
      },
    });
  }

  /** The paths of fields that were not. */
  unread(value: unknown, path = ''): string[] {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, below]) =>
      this.#read.get(value)?.has(key) === true
        ? this.unread(below, `${path}/${key}`)
        : [`${path}/${key}`],
    );
  }
}
