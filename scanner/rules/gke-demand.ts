import { NO_REQUIREMENT } from '../compliance.ts';
import { cite, type Evidence } from '../evidence.ts';
import { nodePoolsOf } from '../facts/cluster.ts';
import type { Remedy } from '../fixes/repair.ts';
import { isObject, type JsonObject, type JsonValue, text } from '../json.ts';
import { fail, failAll, NOT_APPLICABLE, PASS } from '../outcome.ts';
import type { Outcome, Rule, Severity, Violation } from '../rule.ts';
import { type RuleSpec, resourceRule } from '../rule-kinds.ts';

/*
 * Fields: container v1, discovery revision 20261027.
 */

/** The description of a rule on clusters. */
export interface GkeRule {
  readonly id: string;
  /** Default: 1. */
  readonly version?: number;
  readonly title: string;
  readonly severity: Severity;
  readonly description: string;
  readonly remediation: string;
  readonly fix?: Remedy;
  readonly noFix?: string;
}

/** The requirement of one rule for a cluster, or for each of its node pools. */
export interface GkeDemand extends GkeRule {
  /** The sentence of the finding. */
  readonly message: string;
  /** The members that decide, below the cluster or the pool, cited as evidence. */
  readonly paths: readonly string[];
  /** Whether the cluster, or the pool, is compliant. */
  admits(it: JsonObject): boolean;
}

export function clusterRule(demand: GkeDemand): Rule {
  return resourceRule(specOf(demand), (cluster) =>
    demand.admits(cluster)
      ? PASS
      : fail({ message: demand.message, evidence: citations(cluster, demand.paths, '') }),
  );
}

/** A rule that every node pool has to meet, with one finding per pool that does not. */
export function nodePoolRule(demand: GkeDemand): Rule {
  return resourceRule(specOf(demand), (cluster) => evaluateNodePools(demand, cluster));
}

/** Rules on pools do not apply to a cluster without pools. */
export function evaluateNodePools(demand: GkeDemand, cluster: JsonObject): Outcome {
  const pools = nodePoolsOf(cluster);
  if (pools.length === 0) return NOT_APPLICABLE;
  if (pools.every(demand.admits)) return PASS;
  const [first, ...more] = pools.flatMap((pool, index) =>
    demand.admits(pool) ? [] : [poolViolation(demand, pool, index)],
  );
  return first === undefined ? PASS : failAll(first, more);
}

function poolViolation(demand: GkeDemand, pool: JsonObject, index: number): Violation {
  const name = text(pool, 'name') ?? String(index);
  return {
    subject: name,
    message: `Node pool ${name}: ${demand.message}`,
    evidence: citations(pool, demand.paths, `nodePools[${index}].`),
  };
}

export function specOf(rule: GkeRule): RuleSpec {
  const { id, version = 1, title, severity, description, remediation, fix, noFix } = rule;
  return {
    id,
    version,
    title,
    severity,
    category: 'gke',
    assetTypes: ['container.googleapis.com/Cluster'],
    description,
    remediation,
    // The mapped CIS benchmarks are the foundations ones, which leave clusters to the GKE benchmark.
    compliance: NO_REQUIREMENT,
    ...(fix !== undefined && { fix }),
    ...(noFix !== undefined && { noFix }),
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
