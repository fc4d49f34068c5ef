import { NO_REQUIREMENT } from '../compliance.ts';
import { cite, type Evidence } from '../evidence.ts';
import { nodePoolsOf } from '../facts/cluster.ts';
import { isObject, type JsonObject, type JsonValue, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Outcome, Rule, Severity, Violation } from '../rule.ts';
import { type RuleSpec, resourceRule } from '../rule-kinds.ts';

/** What is said of a rule on clusters. */
export interface GkeRule {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly description: string;
  readonly remediation: string;
}

/** What one rule asks of a cluster, or of each of its node pools. */
export interface GkeDemand extends GkeRule {
  /** A sentence on what was found. */
  readonly message: string;
  /** The members that decide, below the cluster or the pool: the evidence. */
  readonly paths: readonly string[];
  /** Whether the cluster, or the pool, is as it should be. */
  admits(it: JsonObject): boolean;
}

export function clusterRule(demand: GkeDemand): Rule {
  return resourceRule(specOf(demand), (cluster) =>
    demand.admits(cluster)
      ? PASS
      : fail({ message: demand.message, evidence: citations(cluster, demand.paths, '') }),
  );
}

/** A rule that every node pool has to meet; it finds each that does not. */
export function nodePoolRule(demand: GkeDemand): Rule {
  return resourceRule(specOf(demand), (cluster) => judgeNodePools(demand, cluster));
}

/** The rules on pools do not apply to a cluster without any. */
export function judgeNodePools(demand: GkeDemand, cluster: JsonObject): Outcome {
  const pools = nodePoolsOf(cluster);
  if (pools.length === 0) return NOT_APPLICABLE;
  if (pools.every(demand.admits)) return PASS;
  const [first, ...more] = pools.flatMap((pool, index) =>
    demand.admits(pool) ? [] : [poolViolation(demand, pool, index)],
  );
  return first === undefined ? PASS : fail(first, ...more);
}

function poolViolation(demand: GkeDemand, pool: JsonObject, index: number): Violation {
  const name = text(pool, 'name') ?? String(index);
  return {
    subject: name,
    message: `Node pool ${name}: ${demand.message}`,
    evidence: citations(pool, demand.paths, `nodePools[${index}].`),
  };
}

export function specOf({ id, title, severity, description, remediation }: GkeRule): RuleSpec {
  return {
    id,
    title,
    severity,
    category: 'gke',
    assetTypes: ['container.googleapis.com/Cluster'],
    description,
    remediation,
    // The benchmarks that are mapped are those of the foundations, which leave clusters to the one of GKE.
    compliance: NO_REQUIREMENT,
  };
}

function citations(it: JsonObject, paths: readonly string[], prefix: string): readonly Evidence[] {
  return paths.map((path) => cite(`${prefix}${path}`, valueAt(it, path)));
}

function valueAt(it: JsonObject, path: string): JsonValue | undefined {
  return path
    .split('.')
    .reduce<JsonValue | undefined>(
      (value, member) => (isObject(value) ? value[member] : undefined),
      it,
    );
}
