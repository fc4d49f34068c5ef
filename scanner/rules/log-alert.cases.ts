import type { Asset } from '../inventory/normalise.ts';
import type { JsonObject } from '../json.ts';
import { assetOf } from '../testing/asset.ts';
import type { RuleCase, RuleCases } from '../testing/rule-cases.ts';

function metric(filter: string, rest: JsonObject = {}, project = 'p'): Asset {
  return assetOf({
    type: 'logging.googleapis.com/LogMetric',
    name: `//logging.googleapis.com/projects/${project}/metrics/changes`,
    data: { name: 'changes', filter, ...rest },
  });
}

function alertPolicy(condition: JsonObject, rest: JsonObject = {}, project = 'p'): Asset {
  return assetOf({
    type: 'monitoring.googleapis.com/AlertPolicy',
    name: `//monitoring.googleapis.com/projects/${project}/alertPolicies/1`,
    data: { combiner: 'OR', enabled: true, conditions: [condition], ...rest },
  });
}

const on = (filter: string): JsonObject => ({ conditionThreshold: { filter, duration: '0s' } });
const CHANGES = 'metric.type="logging.googleapis.com/user/changes" AND resource.type="global"';
const BUCKETS = 'projects/p/locations/global/buckets';
const WATCHING = alertPolicy(on(CHANGES));

/** Tests a rule with filters that satisfy it and filters that do not. */
interface Filters {
  readonly rule: string;
  /** The filter of the benchmark. */
  readonly canonical: string;
  readonly enough: readonly string[];
  readonly tooLittle: readonly string[];
}

const METHOD = 'protoPayload.methodName';
const DELTA = 'protoPayload.serviceData.policyDelta';
const ADDED = `(${DELTA}.bindingDeltas.action="ADD" AND ${DELTA}.bindingDeltas.role="roles/owner")`;
const REMOVED = `(${DELTA}.bindingDeltas.action="REMOVE" AND ${DELTA}.bindingDeltas.role="roles/owner")`;
const MANAGER = '(protoPayload.serviceName="cloudresourcemanager.googleapis.com")';

/** `method:"compute.routes.insert" OR …`, with a field and an operator. */
function anyOf(field: string, operator: string, ...values: readonly string[]): string {
  return values.map((value) => `${field}${operator}"${value}"`).join(' OR ');
}

const ROLE = 'google.iam.admin.v1';
const ROLE_METHODS = [`${ROLE}.CreateRole`, `${ROLE}.DeleteRole`, `${ROLE}.UpdateRole`];
const FIREWALL_METHODS = ['patch', 'insert', 'delete'].map((verb) => `compute.firewalls.${verb}`);
const ROUTE_METHODS = ['compute.routes.delete', 'compute.routes.insert'];
const NETWORK_METHODS = ['insert', 'patch', 'delete', 'removePeering', 'addPeering'].map(
  (verb) => `compute.networks.${verb}`,
);
const SUBTYPE = 'jsonPayload.event_subtype';

/** Conditions with regular expressions that are not evaluated. */
const UNSUPPORTED = [
  String.raw`protoPayload.authenticationInfo.principalEmail!~"[a-z]{2,}@example\.com"`,
  String.raw`NOT protoPayload.authenticationInfo.principalEmail=~"[a-z]{2,}@example\.com"`,
  `protoPayload.authenticationInfo.principalEmail!~"${'x'.repeat(1_001)}"`,
  'protoPayload.authenticationInfo.principalEmail=~"[a-z]{2,}"',
];

const FILTERS: readonly Filters[] = [
  {
    rule: 'log-alert-ownership',
    canonical: `${MANAGER} AND (ProjectOwnership OR projectOwnerInvitee) OR ${REMOVED} OR ${ADDED}`,
    enough: [
      `${MANAGER}\nAND (projectOwnerInvitee OR ProjectOwnership)\nOR ${ADDED}\nOR ${REMOVED}`,
      `${MANAGER} AND ("ProjectOwnership" OR "projectOwnerInvitee" OR ${ADDED} OR ${REMOVED})`,
      `protoPayload.serviceName:"cloudresourcemanager.googleapis.com" (ProjectOwnership OR projectOwnerInvitee OR (${DELTA}.bindingDeltas.role="roles/owner" AND ${DELTA}.bindingDeltas.action=("ADD" OR "REMOVE")))`,
    ],
    tooLittle: [
      `${MANAGER} AND (ProjectOwnership OR projectOwnerInvitee) OR ${REMOVED}`,
      `${MANAGER} AND (ProjectOwnership OR projectOwnerInvitee) OR ${ADDED}`,
      `${MANAGER} AND (ProjectOwnership OR projectOwnerInvitee)`,
      `(ProjectOwnership OR projectOwnerInvitee) OR ${REMOVED} OR ${ADDED}`,
      `${MANAGER} AND ProjectOwnership AND projectOwnerInvitee AND ${REMOVED} AND ${ADDED}`,
      `${MANAGER} AND (ProjectOwnership OR projectOwnerInvitee) OR ${REMOVED.replace('owner', 'editor')} OR ${ADDED.replace('owner', 'editor')}`,
    ],
  },
  {
    rule: 'log-alert-audit',
    canonical: `${METHOD}="SetIamPolicy" AND ${DELTA}.auditConfigDeltas:*`,
    enough: [
      `${DELTA}.auditConfigDeltas:*\n${METHOD}="SetIamPolicy"`,
      `( ${METHOD} : SetIamPolicy )  AND  ( ${DELTA}.auditConfigDeltas : "*" )`,
      `log_id("cloudaudit.googleapis.com/activity") AND ${METHOD}='SetIamPolicy' AND ${DELTA}.auditConfigDeltas:*`,
      `${METHOD}="setiampolicy" AND ${DELTA}.auditConfigDeltas:*`,
      `${METHOD}=~"^SetIamPolicy$" AND ${DELTA}.auditConfigDeltas:*`,
      `${METHOD}=~"(?i)^setiampolicy$" AND ${DELTA}.auditConfigDeltas:*`,
    ],
    tooLittle: [
      `${METHOD}="SetIamPolicy"`,
      `${DELTA}.auditConfigDeltas:*`,
      `${METHOD}="SetIamPolicy" AND NOT ${DELTA}.auditConfigDeltas:*`,
      `${METHOD}="SetIamPolicy" AND ${DELTA}.bindingDeltas:*`,
      `${METHOD}="SetIamPolicy" and ${DELTA}.auditConfigDeltas:*`,
      `${METHOD}=~"setiampolicy" AND ${DELTA}.auditConfigDeltas:*`,
    ],
  },
  {
    rule: 'log-alert-custom-role',
    canonical: `resource.type="iam_role" AND (${anyOf(METHOD, ' = ', ...ROLE_METHODS)})`,
    enough: [
      `resource.type="iam_role" AND ${anyOf(METHOD, '=', ...ROLE_METHODS)}`,
      `resource.type="iam_role" AND (${anyOf(METHOD, '=', ...ROLE_METHODS, `${ROLE}.UndeleteRole`)})`,
      `resource.type:iam_role ${METHOD}=("${ROLE_METHODS.join('" OR "')}")`,
    ],
    tooLittle: [
      `resource.type="iam_role"`,
      `resource.type="iam_role" AND (${anyOf(METHOD, '=', ...ROLE_METHODS.slice(1))})`,
      `${anyOf(METHOD, '=', ...ROLE_METHODS)}`,
      `resource.type="iam_role" AND (${ROLE_METHODS.map((name) => `${METHOD}="${name}"`).join(' AND ')})`,
      `resource.type="iam_role" AND (${anyOf(METHOD, '=', ...ROLE_METHODS)}) AND ${DELTA}.bindingDeltas.role="roles/editor"`,
    ],
  },
  {
    rule: 'log-alert-firewall',
    canonical: `resource.type="gce_firewall_rule" AND (${anyOf(METHOD, ':', ...FIREWALL_METHODS)})`,
    enough: [
      `resource.type=gce_firewall_rule\nAND (${anyOf(METHOD, ':', ...FIREWALL_METHODS.toReversed())}\n)`,
      `resource.type="gce_firewall_rule" AND (${METHOD}="v1.compute.firewalls.patch" OR ${METHOD}="beta.compute.firewalls.insert" OR ${METHOD}="v1.compute.firewalls.delete")`,
      `resource.type="gce_firewall_rule" AND ${METHOD}=~"compute\\.firewalls\\.(insert|patch|delete)$"`,
      `resource.type="gce_firewall_rule" AND (${anyOf(METHOD, ':', ...FIREWALL_METHODS, 'compute.firewalls.update')})`,
      `resource.type="gce_firewall_rule" AND (${anyOf(METHOD, ':', ...FIREWALL_METHODS)}) AND severity>=NOTICE AND NOT protoPayload.authenticationInfo.principalEmail="terraform@p.iam.gserviceaccount.com"`,
      `resource.type="gce_firewall_rule" AND ${anyOf(SUBTYPE, '=', 'compute.firewalls.patch', 'compute.firewalls.insert')}`,
    ],
    tooLittle: [
      ...FIREWALL_METHODS.map(
        (left) =>
          `resource.type="gce_firewall_rule" AND (${anyOf(METHOD, ':', ...FIREWALL_METHODS.filter((one) => one !== left))})`,
      ),
      `${anyOf(METHOD, ':', ...FIREWALL_METHODS)}`,
      `resource.type="gce_network" AND (${anyOf(METHOD, ':', ...FIREWALL_METHODS)})`,
      `NOT resource.type="gce_firewall_rule" AND (${anyOf(METHOD, ':', ...FIREWALL_METHODS)})`,
      `resource.type="gce_firewall_rule" AND NOT (${anyOf(METHOD, ':', ...FIREWALL_METHODS)})`,
      `resource.type="gce_firewall_rule" AND (${anyOf(METHOD, ':', ...FIREWALL_METHODS)}) AND severity>=ERROR`,
      `resource.type="gce_firewall_rule" AND (${anyOf(METHOD, ':', ...FIREWALL_METHODS)}) AND protoPayload.authenticationInfo.principalEmail="ada@example.com"`,
      `resource.type="gce_firewall_rule" AND ${SUBTYPE}="compute.firewalls.insert"`,
      `resource.type="gce_firewall_rule" AND (${anyOf(METHOD, ':', ...FIREWALL_METHODS)}`,
    ],
  },
  {
    rule: 'log-alert-route',
    canonical: `resource.type="gce_route" AND (${anyOf(METHOD, ':', ...ROUTE_METHODS)})`,
    enough: [
      `resource.type="gce_route" AND (${anyOf(METHOD, '=', ...ROUTE_METHODS.map((name) => `beta.${name}`))})`,
      `resource.type="gce_route" AND ${anyOf(SUBTYPE, '=', ...ROUTE_METHODS)}`,
    ],
    tooLittle: [
      ...ROUTE_METHODS.map((method) => `resource.type="gce_route" AND ${METHOD}:"${method}"`),
      `resource.type="gce_route" AND (${METHOD}="beta.compute.routes.patch" OR ${METHOD}="beta.compute.routes.insert")`,
      `${anyOf(METHOD, ':', ...ROUTE_METHODS)}`,
    ],
  },
  {
    rule: 'log-alert-network',
    canonical: `resource.type="gce_network" AND (${anyOf(METHOD, ':', ...NETWORK_METHODS)})`,
    enough: [
      `resource.type=gce_network AND ${METHOD}="beta.compute.networks.insert" OR ${METHOD}="beta.compute.networks.patch" OR ${METHOD}="v1.compute.networks.delete" OR ${METHOD}="v1.compute.networks.removePeering" OR ${METHOD}="v1.compute.networks.addPeering"`,
      `resource.type="gce_network" AND (${anyOf(SUBTYPE, '=', ...NETWORK_METHODS)})`,
    ],
    tooLittle: [
      ...NETWORK_METHODS.map(
        (left) =>
          `resource.type="gce_network" AND (${anyOf(METHOD, ':', ...NETWORK_METHODS.filter((one) => one !== left))})`,
      ),
      `resource.type="gce_subnetwork" AND (${anyOf(METHOD, ':', ...NETWORK_METHODS)})`,
    ],
  },
  {
    rule: 'log-alert-storage-iam',
    canonical: `resource.type="gcs_bucket" AND ${METHOD}="storage.setIamPermissions"`,
    enough: [
      `resource.type=gcs_bucket AND ${METHOD}="storage.setIamPermissions"`,
      `${METHOD}="storage.setIamPermissions" resource.type="gcs_bucket"`,
    ],
    tooLittle: [
      'resource.type="gcs_bucket"',
      `${METHOD}="storage.setIamPermissions"`,
      `resource.type="gcs_bucket" AND ${METHOD}="storage.buckets.update"`,
      `resource.type="gcs_bucket" AND ${METHOD}:*`,
    ],
  },
  {
    rule: 'log-alert-sql',
    canonical: `${METHOD}="cloudsql.instances.update"`,
    enough: [
      `${METHOD}: "cloudsql.instances.update"`,
      `resource.type="cloudsql_database" AND (${METHOD}="cloudsql.instances.update" OR ${METHOD}="cloudsql.instances.create")`,
    ],
    tooLittle: [
      `${METHOD}="cloudsql.instances.create"`,
      'resource.type="cloudsql_database"',
      `NOT ${METHOD}="cloudsql.instances.update"`,
    ],
  },
];

function casesOf({ rule, canonical, enough, tooLittle }: Filters): RuleCases {
  const watched = (name: string, filter: string): RuleCase => ({
    name,
    others: [metric(filter), WATCHING],
  });
  const policies = (name: string, ...others: readonly Asset[]): RuleCase => ({
    name,
    others: [metric(canonical), ...others],
  });
  return {
    rule,
    pass: [
      watched('the filter of the benchmark', canonical),
      ...enough.map((filter) => watched(filter, filter)),
      policies(
        'a policy that does not say whether it is on',
        alertPolicy(on(CHANGES), { enabled: null }),
      ),
      policies(
        'a condition in other quotes and spaces',
        alertPolicy(on("metric.type = 'logging.googleapis.com/user/changes'")),
      ),
      policies(
        'a condition on the absence of the metric',
        alertPolicy({ conditionAbsent: { filter: CHANGES } }),
      ),
      policies(
        'a condition in MQL',
        alertPolicy({
          conditionMonitoringQueryLanguage: {
            query: 'fetch global::logging.googleapis.com/user/changes | condition val() > 0',
          },
        }),
      ),
      policies(
        'a condition in PromQL',
        alertPolicy({
          conditionPrometheusQueryLanguage: {
            query:
              'sum(rate(logging_googleapis_com:user_changes{monitored_resource="global"}[5m])) > 0',
          },
        }),
      ),
      policies(
        'a second condition, of a second policy',
        alertPolicy(on('metric.type="logging.googleapis.com/user/other"')),
        alertPolicy(on('metric.type="compute.googleapis.com/x"'), {
          conditions: [on('metric.type="compute.googleapis.com/x"'), on(CHANGES)],
        }),
      ),
      {
        name: 'a metric of the bucket _Required, which receives every Admin Activity entry',
        others: [metric(canonical, { bucketName: `${BUCKETS}/_Required` }), WATCHING],
      },
      {
        name: 'a metric with an empty bucket name, which is one of the project',
        others: [metric(canonical, { bucketName: '' }), WATCHING],
      },
      {
        name: 'a metric that counts beside one that does not',
        others: [metric('severity>=ERROR', { name: 'errors' }), metric(canonical), WATCHING],
      },
    ],
    fail: [
      { name: 'a metric without a filter', others: [metric(''), WATCHING] },
      ...tooLittle.map((filter) => watched(filter, filter)),
      { name: 'a metric that is off', others: [metric(canonical, { disabled: true }), WATCHING] },
      ...['own', '_Default', 'x_Required', '_Required/views/own'].map((bucket) => ({
        name: `a metric of the log bucket ${bucket} alone`,
        others: [metric(canonical, { bucketName: `${BUCKETS}/${bucket}` }), WATCHING],
      })),
      {
        name: 'an unsupported regular expression in a filter on something else',
        others: [metric('resource.type="gce_instance" textPayload=~"[0-9]{3}"'), WATCHING],
      },
      { name: 'no metric that counts, and no policies', others: [metric('severity>=ERROR')] },
      policies('a policy that is off', alertPolicy(on(CHANGES), { enabled: false })),
      policies(
        'a policy on another metric',
        alertPolicy(on('metric.type="logging.googleapis.com/user/other"')),
      ),
      policies(
        'a policy on a metric whose name only begins so',
        alertPolicy(on('metric.type="logging.googleapis.com/user/changes-2"')),
      ),
      policies('a policy without conditions', alertPolicy({}, { conditions: [] })),
      {
        name: 'a metric and a policy of different projects',
        others: [metric(canonical), alertPolicy(on(CHANGES), {}, 'q')],
        project: '//cloudresourcemanager.googleapis.com/projects/p',
      },
    ],
    na: 'never',
    unknown: [
      { name: 'an export without metrics', others: [WATCHING] },
      policies('a metric, but an export without policies'),
      ...UNSUPPORTED.map((condition) =>
        watched(
          `the filter of the benchmark AND ${condition.slice(0, 60)}`,
          `(${canonical}) AND ${condition}`,
        ),
      ),
    ],
  };
}

export const LOG_ALERT_CASES: readonly RuleCases[] = FILTERS.map(casesOf);
