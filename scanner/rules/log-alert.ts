import { cis } from '../compliance.ts';
import { cite, ELEMENTS_MAX } from '../evidence.ts';
import { type Mentions, QUERY_MAX, watchedMetrics } from '../facts/alert-policy.ts';
import { type AuditedChange, countsEvery } from '../facts/audited-change.ts';
import type { Asset } from '../inventory/normalise.ts';
import { isTrue, text } from '../json.ts';
import { FilterTooLarge, type LogFilter, parseLogFilter } from '../log-filter/filter.ts';
import { fail, PASS, unknown, unknownWithout } from '../outcome.ts';
import type { Project } from '../project.ts';
import { perGroup } from '../reference-asset-groups.ts';
import type { Rule } from '../rule.ts';
import { projectRule } from '../rule-kinds.ts';
import { UnknownValue } from '../terraform/unknown-value.ts';
import {
  AUDIT_CONFIG_CHANGES,
  CUSTOM_ROLE_CHANGES,
  FIREWALL_CHANGES,
  NETWORK_CHANGES,
  OWNERSHIP_CHANGES,
  ROUTE_CHANGES,
  SQL_CHANGES,
  STORAGE_IAM_CHANGES,
} from './log-alert-changes.ts';

/*
 * Fields: logging v2, discovery revision 20260911.
 * Fields: monitoring v3, discovery revision 20260129.
 */

const METRIC = 'logging.googleapis.com/LogMetric';
const ALERT_POLICY = 'monitoring.googleapis.com/AlertPolicy';

interface Alert {
  /** The rule is `log-alert-<id>`. */
  readonly id: string;
  /** The changed resources, as the end of a sentence. */
  readonly changed: string;
  readonly why: string;
  readonly changes: readonly AuditedChange[];
  /** The filter that the remediation gives. */
  readonly filter: string;
  readonly v4: string;
  readonly v5: string;
}

const ALERTS: readonly Alert[] = [
  {
    id: 'ownership',
    changed: 'project ownership',
    why: "An owner can do everything, including changes of the project's policy.",
    changes: OWNERSHIP_CHANGES,
    filter:
      '(protoPayload.serviceName="cloudresourcemanager.googleapis.com") AND (ProjectOwnership OR projectOwnerInvitee) OR (protoPayload.serviceData.policyDelta.bindingDeltas.action="REMOVE" AND protoPayload.serviceData.policyDelta.bindingDeltas.role="roles/owner") OR (protoPayload.serviceData.policyDelta.bindingDeltas.action="ADD" AND protoPayload.serviceData.policyDelta.bindingDeltas.role="roles/owner")',
    v4: '2.4',
    v5: '2.5',
  },
  {
    id: 'audit',
    changed: 'the audit configuration',
    why: 'Attackers disable audit logs first.',
    changes: AUDIT_CONFIG_CHANGES,
    filter:
      'protoPayload.methodName="SetIamPolicy" AND protoPayload.serviceData.policyDelta.auditConfigDeltas:*',
    v4: '2.5',
    v5: '2.6',
  },
  {
    id: 'custom-role',
    changed: 'custom roles',
    why: 'A permission that is added to a role takes effect for all members with the role, without a policy change.',
    changes: CUSTOM_ROLE_CHANGES,
    filter:
      'resource.type="iam_role" AND (protoPayload.methodName="google.iam.admin.v1.CreateRole" OR protoPayload.methodName="google.iam.admin.v1.DeleteRole" OR protoPayload.methodName="google.iam.admin.v1.UpdateRole")',
    v4: '2.6',
    v5: '2.7',
  },
  {
    id: 'firewall',
    changed: 'firewall rules',
    why: 'An unexpected firewall rule can expose a service to the internet.',
    changes: FIREWALL_CHANGES,
    filter:
      'resource.type="gce_firewall_rule" AND (protoPayload.methodName:"compute.firewalls.patch" OR protoPayload.methodName:"compute.firewalls.insert" OR protoPayload.methodName:"compute.firewalls.delete")',
    v4: '2.7',
    v5: '2.8',
  },
  {
    id: 'route',
    changed: 'routes',
    why: 'A route determines the path of network traffic.',
    changes: ROUTE_CHANGES,
    filter:
      'resource.type="gce_route" AND (protoPayload.methodName:"compute.routes.delete" OR protoPayload.methodName:"compute.routes.insert")',
    v4: '2.8',
    v5: '2.9',
  },
  {
    id: 'network',
    changed: 'VPC networks',
    why: 'A network can be reached from the networks that it is peered with.',
    changes: NETWORK_CHANGES,
    filter:
      'resource.type="gce_network" AND (protoPayload.methodName:"compute.networks.insert" OR protoPayload.methodName:"compute.networks.patch" OR protoPayload.methodName:"compute.networks.delete" OR protoPayload.methodName:"compute.networks.removePeering" OR protoPayload.methodName:"compute.networks.addPeering")',
    v4: '2.9',
    v5: '2.10',
  },
  {
    id: 'storage-iam',
    changed: 'bucket IAM policies',
    why: 'A single binding can make a bucket public.',
    changes: STORAGE_IAM_CHANGES,
    filter: 'resource.type="gcs_bucket" AND protoPayload.methodName="storage.setIamPermissions"',
    v4: '2.10',
    v5: '2.11',
  },
  {
    id: 'sql',
    changed: 'the settings of Cloud SQL instances',
    why: 'Backups, encryption in transit and the networks that may connect are all settings.',
    changes: SQL_CHANGES,
    filter: 'protoPayload.methodName="cloudsql.instances.update"',
    v4: '2.11',
    v5: '2.12',
  },
];

function alertRule(alert: Alert): Rule {
  const { id, changed, why, changes, filter, v4, v5 } = alert;
  return projectRule(
    {
      id: `log-alert-${id}`,
      version: 2,
      title: `No alert on changes of ${changed}`,
      severity: 'medium',
      category: 'logging',
      assetTypes: [METRIC, ALERT_POLICY],
      description: `${why} A log metric should count such changes, and an alerting policy should watch the metric. A metric of one log bucket does not count: it sees only the entries that are routed to that bucket. Neither does a filter with and, or or not in lower case, which Cloud Logging searches for as texts.`,
      remediation: `Create the metric, then an alerting policy on it: \`gcloud logging metrics create METRIC --description=TEXT --log-filter='${filter}'\`; \`gcloud monitoring policies create --policy-from-file=FILE\` with a condition on metric.type="logging.googleapis.com/user/METRIC".`,
      noFix: 'needs a log metric, an alert policy and its channel',
      compliance: cis({ v4, v5 }),
    },
    (project, context) => {
      const withoutMetrics = unknownWithout(context, [METRIC]);
      if (withoutMetrics !== null) return withoutMetrics;
      const { counting, unclear, undecided } = countedIn(metricsOf(project.own(METRIC)), changes);
      if (counting.length === 0) {
        if (undecided !== null) throw undecided;
        if (unclear[0] !== undefined) return unknown(reasonOf(unclear[0]));
        return fail({
          message: `No log metric of the project counts the changes of ${changed}.`,
          evidence: [cite('filter', null)],
        });
      }
      const withoutPolicies = unknownWithout(context, [ALERT_POLICY]);
      if (withoutPolicies !== null) return withoutPolicies;
      const mentions = mentionsIn(project);
      const isWatched = ({ name }: Pick<LogMetric, 'name'>) =>
        typeof name === 'string' && mentions.names.has(name);
      if (counting.some(isWatched)) return PASS;
      const unknownYet = undecided ?? mentions.undecided ?? firstUnknownName(counting, project);
      if (unknownYet !== null) throw unknownYet;
      const watched = unclear.find(isWatched);
      if (watched !== undefined) return unknown(reasonOf(watched));
      if (mentions.isCut) {
        return unknown(`a query of more than ${QUERY_MAX} characters in an alerting policy`);
      }
      const names = counting.slice(0, ELEMENTS_MAX + 1).map(({ name }) => String(name));
      return fail({
        message: `A metric counts the changes of ${changed}, but no enabled alerting policy watches it: ${names.join(', ')}.`,
        evidence: [
          cite('name', names, counting.length),
          cite('conditions[].conditionThreshold.filter', null),
        ],
      });
    },
  );
}

/** A log metric, parsed once for all rules. */
interface LogMetric {
  /** Null if it is disabled, has no filter, or counts the entries of one log bucket only. */
  readonly filter: LogFilter | null;
  /** Why the filter was not parsed. */
  readonly tooLarge: string | null;
  /** The unknown part of a planned metric, whose effect is therefore unknown. */
  readonly undecided: UnknownValue | null;
  /** The bucket of a planned metric, if it is unknown: the metric may be limited to it. */
  readonly unknownBucket: UnknownValue | null;
  readonly name: string | UnknownValue;
}

const metricsOf = perGroup((metrics) => metrics.map(readMetric));

function readMetric(metric: Asset): LogMetric {
  const nothing = { filter: null, tooLarge: null, undecided: null, unknownBucket: null };
  const name = unlessUnknown(() => nameOf(metric));
  const coversProject = unlessUnknown(() => countsWholeProject(metric));
  if (coversProject === false) return { ...nothing, name };
  const unknownBucket = coversProject instanceof UnknownValue ? coversProject : null;
  const text = unlessUnknown(() => filterOf(metric));
  if (text instanceof UnknownValue) return { ...nothing, name, undecided: text };
  if (text === null) return { ...nothing, name };
  try {
    return { ...nothing, name, unknownBucket, filter: parseLogFilter(text) };
  } catch (error) {
    if (!(error instanceof FilterTooLarge)) throw error;
    return { ...nothing, name, unknownBucket, tooLarge: error.message };
  }
}

/**
 * Whether a metric counts the administrative changes of its whole project. A metric with a bucket counts only the log
 * entries that sinks route to that bucket. The bucket `_Required` receives every Admin Activity entry of its project,
 * by an immutable sink. The sink of the bucket `_Default` excludes these entries, and can be changed.
 *
 * Source: the documentation of Cloud Logging on bucket-scoped log-based metrics and on routing.
 */
function countsWholeProject({ data }: Asset): boolean {
  const bucket = data?.bucketName;
  if (bucket === undefined || bucket === null || bucket === '') return true;
  return typeof bucket === 'string' && REQUIRED_BUCKET.test(bucket);
}

const REQUIRED_BUCKET = /^projects\/[^/]+\/locations\/[^/]+\/buckets\/_Required$/;

function filterOf({ data }: Asset): string | null {
  const filter = text(data, 'filter');
  return filter === null || isTrue(data, 'disabled') ? null : filter;
}

function unlessUnknown<T>(read: () => T): T | UnknownValue {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownValue) return error;
    throw error;
  }
}

/** A metric that may count some changes. */
interface UnclearMetric extends Pick<LogMetric, 'name'> {
  /** What is not evaluated. */
  readonly part: string;
}

/** The metrics that count some changes, and those whose effect is unknown. */
function countedIn(metrics: readonly LogMetric[], changes: readonly AuditedChange[]) {
  const counting: LogMetric[] = [];
  const unclear: UnclearMetric[] = [];
  let undecided: UnknownValue | null = null;
  for (const metric of metrics) {
    undecided ??= metric.undecided;
    const { name, filter, tooLarge } = metric;
    if (tooLarge !== null) unclear.push({ name, part: tooLarge });
    const counts = filter === null ? false : countsEvery(filter, changes);
    if (counts === null) unclear.push({ name, part: 'an unsupported regular expression' });
    if (counts !== true) continue;
    if (metric.unknownBucket === null) counting.push(metric);
    else undecided ??= metric.unknownBucket;
  }
  return { counting, unclear, undecided };
}

/** The metrics that the alerting policies of each project watch. */
const MENTIONS = new WeakMap<Project, Mentions>();

function mentionsIn(project: Project): Mentions {
  const known = MENTIONS.get(project);
  if (known !== undefined) return known;
  const policies = project.own(ALERT_POLICY).flatMap(({ data }) => (data === null ? [] : [data]));
  const names = metricsOf(project.own(METRIC)).flatMap(({ name }) =>
    typeof name === 'string' ? name : [],
  );
  const mentions = watchedMetrics(policies, new Set(names));
  MENTIONS.set(project, mentions);
  return mentions;
}

/** Without a policy the metric's name is irrelevant. */
function firstUnknownName(metrics: readonly LogMetric[], project: Project): UnknownValue | null {
  if (project.own(ALERT_POLICY).length === 0) return null;
  const unknown = metrics.find(({ name }) => name instanceof UnknownValue);
  return unknown?.name instanceof UnknownValue ? unknown.name : null;
}

function reasonOf({ part, name }: UnclearMetric): string {
  return `${part} on the log metric ${String(name).slice(0, NAME_MAX)}`;
}

const NAME_MAX = 100;

/** The name that follows `logging.googleapis.com/user/`; the asset's name contains it percent-encoded. */
function nameOf({ name, data }: Asset): string {
  const own = text(data, 'name') ?? decodePercent(name);
  return own.replace(/^(?:\/\/[^/]+\/)?projects\/[^/]+\/metrics\//, '');
}

function decodePercent(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export const LOG_ALERT_RULES: readonly Rule[] = ALERTS.map(alertRule);
