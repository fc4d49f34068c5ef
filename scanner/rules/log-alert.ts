import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { watchesLogMetric } from '../facts/alert-policy.ts';
import { type AuditedChange, countsEvery } from '../facts/audited-change.ts';
import type { Asset } from '../inventory/normalise.ts';
import { isTrue, text } from '../json.ts';
import { fail, PASS, unknownWithout } from '../outcome.ts';
import { someKnown } from '../references.ts';
import type { Rule } from '../rule.ts';
import { projectRule } from '../rule-kinds.ts';
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

const METRIC = 'logging.googleapis.com/LogMetric';
const ALERT_POLICY = 'monitoring.googleapis.com/AlertPolicy';

interface Alert {
  /** The rule is `log-alert-<id>`. */
  readonly id: string;
  /** What is changed, as the end of a sentence. */
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
    changed: 'the owners of the project',
    why: 'An owner can do everything, to the policy of the project too.',
    changes: OWNERSHIP_CHANGES,
    filter:
      '(protoPayload.serviceName="cloudresourcemanager.googleapis.com") AND (ProjectOwnership OR projectOwnerInvitee) OR (protoPayload.serviceData.policyDelta.bindingDeltas.action="REMOVE" AND protoPayload.serviceData.policyDelta.bindingDeltas.role="roles/owner") OR (protoPayload.serviceData.policyDelta.bindingDeltas.action="ADD" AND protoPayload.serviceData.policyDelta.bindingDeltas.role="roles/owner")',
    v4: '2.4',
    v5: '2.5',
  },
  {
    id: 'audit',
    changed: 'what is audited',
    why: 'Who means harm switches the audit logs off first.',
    changes: AUDIT_CONFIG_CHANGES,
    filter:
      'protoPayload.methodName="SetIamPolicy" AND protoPayload.serviceData.policyDelta.auditConfigDeltas:*',
    v4: '2.5',
    v5: '2.6',
  },
  {
    id: 'custom-role',
    changed: 'custom roles',
    why: 'A permission that is added to a role is given to all who hold it, without a change of any policy.',
    changes: CUSTOM_ROLE_CHANGES,
    filter:
      'resource.type="iam_role" AND (protoPayload.methodName="google.iam.admin.v1.CreateRole" OR protoPayload.methodName="google.iam.admin.v1.DeleteRole" OR protoPayload.methodName="google.iam.admin.v1.UpdateRole")',
    v4: '2.6',
    v5: '2.7',
  },
  {
    id: 'firewall',
    changed: 'firewall rules',
    why: 'A rule that nobody expected is how a service comes to face the internet.',
    changes: FIREWALL_CHANGES,
    filter:
      'resource.type="gce_firewall_rule" AND (protoPayload.methodName:"compute.firewalls.patch" OR protoPayload.methodName:"compute.firewalls.insert" OR protoPayload.methodName:"compute.firewalls.delete")',
    v4: '2.7',
    v5: '2.8',
  },
  {
    id: 'route',
    changed: 'routes',
    why: 'A route decides through whose hands the traffic goes.',
    changes: ROUTE_CHANGES,
    filter:
      'resource.type="gce_route" AND (protoPayload.methodName:"compute.routes.delete" OR protoPayload.methodName:"compute.routes.insert")',
    v4: '2.8',
    v5: '2.9',
  },
  {
    id: 'network',
    changed: 'VPC networks',
    why: 'A network that is peered with another one can be reached from there.',
    changes: NETWORK_CHANGES,
    filter:
      'resource.type="gce_network" AND (protoPayload.methodName:"compute.networks.insert" OR protoPayload.methodName:"compute.networks.patch" OR protoPayload.methodName:"compute.networks.delete" OR protoPayload.methodName:"compute.networks.removePeering" OR protoPayload.methodName:"compute.networks.addPeering")',
    v4: '2.9',
    v5: '2.10',
  },
  {
    id: 'storage-iam',
    changed: 'who may use which bucket',
    why: 'One binding makes a bucket public.',
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
      title: `No alert on changes of ${changed}`,
      severity: 'medium',
      category: 'logging',
      assetTypes: [METRIC, ALERT_POLICY],
      description: `${why} A metric should count the log entries of such changes, and an alerting policy should watch the metric.`,
      remediation: `Make the metric, then an alerting policy on it: gcloud logging metrics create METRIC --description=TEXT --log-filter='${filter}'; gcloud monitoring policies create --policy-from-file=FILE with a condition on metric.type="logging.googleapis.com/user/METRIC".`,
      compliance: cis({ v4, v5 }),
    },
    (project, context) => {
      const withoutMetrics = unknownWithout(context, [METRIC]);
      if (withoutMetrics !== null) return withoutMetrics;
      const metrics = project.own(METRIC);
      const isCounting = (metric: Asset) => counts(metric, changes);
      if (!someKnown(metrics, isCounting)) {
        return fail({
          message: `No log metric of the project counts the changes of ${changed}.`,
          evidence: [cite('filter', null)],
        });
      }
      const withoutPolicies = unknownWithout(context, [ALERT_POLICY]);
      if (withoutPolicies !== null) return withoutPolicies;
      const policies = project.own(ALERT_POLICY);
      const isWatched = (metric: Asset) =>
        someKnown(policies, ({ data }) => data !== null && watchesLogMetric(data, nameOf(metric)));
      if (someKnown(metrics, (metric) => isCounting(metric) && isWatched(metric))) return PASS;
      const names = metrics.filter(isCounting).map(nameOf);
      return fail({
        message: `A metric counts the changes of ${changed}, but no alerting policy that is on watches it: ${names.join(', ')}.`,
        evidence: [cite('name', names), cite('conditions[].conditionThreshold.filter', null)],
      });
    },
  );
}

function counts({ data }: Asset, changes: readonly AuditedChange[]): boolean {
  const filter = text(data, 'filter');
  return filter !== null && !isTrue(data, 'disabled') && countsEvery(filter, changes);
}

/** The name by which `logging.googleapis.com/user/` has it; the asset's name has it percent-encoded. */
function nameOf({ name, data }: Asset): string {
  const own = text(data, 'name') ?? decoded(name);
  return own.replace(/^(?:\/\/[^/]+\/)?projects\/[^/]+\/metrics\//, '');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export const LOG_ALERT_RULES: readonly Rule[] = ALERTS.map(alertRule);
