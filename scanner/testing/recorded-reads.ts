import { Evaluator } from '../evaluate.ts';
import type { Asset } from '../inventory/normalise.ts';
import type { JsonObject } from '../json.ts';
import { resolveProfile } from '../profile.ts';
import { RULE_CASES } from '../rules/catalogue.cases.ts';
import { NOW } from './now.ts';
import { snapshotOf } from './snapshot.ts';

/** Placeholder for an asset type: IAM policies have one schema on all assets. */
export const IAM_POLICY = 'iam_policy';

/**
 * Records the members that the rules read in their cases, by asset type: `settings.ipConfiguration.sslMode`. Array
 * indices are omitted: `nodePools.config.imageType`.
 */
export function recordedReads(): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map([...recordedNotes()].map(([type, { members }]) => [type, members]));
}

/** The recorded reads of one asset type. */
interface Notes {
  readonly members: Set<string>;
  /** The members that were a list in some case. */
  readonly lists: Set<string>;
}

/** Like `recordedReads`, with the members that were lists. */
export function recordedNotes(): ReadonlyMap<string, Notes> {
  const reads = new Map<string, Notes>();
  for (const { rule, pass, fail, na, unknown } of RULE_CASES) {
    for (const one of [...pass, ...fail, ...(na === 'never' ? [] : na), ...unknown]) {
      const asset = one.asset === undefined ? null : recorded(one.asset, reads);
      const others = (one.others ?? []).map((other) => recorded(other, reads));
      const inventory = asset === null ? others : [asset, ...others];
      const evaluator = evaluatorOf(rule, inventory);
      if (asset === null) evaluator.evaluateProjects();
      else evaluator.evaluate(asset);
    }
  }
  return reads;
}

function evaluatorOf(rule: string, inventory: readonly Asset[]): Evaluator {
  const rules = resolveProfile('full')?.rules.filter(({ id }) => id === rule) ?? [];
  return new Evaluator({ rules }, { now: NOW, snapshot: snapshotOf(inventory) });
}

function recorded(asset: Asset, reads: Map<string, Notes>): Asset {
  return {
    ...asset,
    data: asset.data === null ? null : watched(asset.data, '', readsOf(asset.type, reads)),
    iamPolicy:
      asset.iamPolicy === null ? null : watched(asset.iamPolicy, '', readsOf(IAM_POLICY, reads)),
  };
}

function readsOf(type: string, reads: Map<string, Notes>): Notes {
  const known = reads.get(type) ?? { members: new Set(), lists: new Set() };
  reads.set(type, known);
  return known;
}

/** A proxy that records every member that is read from it, at any depth. */
function watched<T extends JsonObject>(value: T, path: string, noted: Notes): T {
  if (Array.isArray(value)) noted.lists.add(path);
  return new Proxy(value, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol' || typeof member === 'function') return member;
      const isElement = Array.isArray(target);
      const at = isElement ? path : path === '' ? key : `${path}.${key}`;
      if (!isElement) noted.members.add(at);
      return typeof member === 'object' && member !== null
        ? watched(member as JsonObject, at, noted)
        : member;
    },
    getOwnPropertyDescriptor(target, key) {
      if (typeof key === 'string' && !Array.isArray(target)) {
        noted.members.add(path === '' ? key : `${path}.${key}`);
      }
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}
