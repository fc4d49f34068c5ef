import type { AuditedChange, Clause } from '../facts/audited-change.ts';
import type { LogEntry } from '../log-filter/match.ts';

/*
 * The log entries of Cloud Audit Logs that sections 2.4 to 2.11 of the CIS benchmark (2.5 to 2.12 in version 5.0)
 * require metrics for. Earlier versions used the activity logs of Compute Engine, which had the operation in
 * jsonPayload.event_subtype: such filters still exist, and are accepted.
 */

const METHOD = 'protopayload.methodname';
const DELTA = 'protopayload.servicedata.policydelta';
const RESOURCE_MANAGER = 'cloudresourcemanager.googleapis.com';

/** An entry of the Admin Activity audit log with its relevant fields, whose paths are in lower case. */
function audited(fields: Readonly<Record<string, string>>): LogEntry {
  return entryOf({
    logname: 'projects/p/logs/cloudaudit.googleapis.com%2Factivity',
    severity: 'NOTICE',
    'resource.labels.project_id': 'p',
    'protopayload.@type': 'type.googleapis.com/google.cloud.audit.AuditLog',
    'protopayload.authenticationinfo.principalemail': 'someone@example.com',
    'protopayload.authorizationinfo.granted': 'true',
    'operation.first': 'true',
    'operation.last': 'true',
    ...fields,
  });
}

function entryOf(fields: Readonly<Record<string, string>>): LogEntry {
  return new Map(Object.entries(fields));
}

function clause(field: string | null, value: string | null): readonly Clause[] {
  return [{ field, value }];
}

/** Changes by methods of a service. Some services put the API version before the name, so there are several forms. */
function calls(
  service: string,
  resourceType: string,
  methods: readonly string[],
  prefixes: readonly string[] = [''],
): AuditedChange {
  const forms = (method: string) => prefixes.map((prefix) => prefix + method);
  return {
    clauses: methods.map((method) => forms(method).flatMap((name) => clause(METHOD, name))),
    events: methods.map((method) =>
      forms(method).map((name) =>
        audited({
          'resource.type': resourceType,
          'protopayload.servicename': service,
          [METHOD]: name,
        }),
      ),
    ),
  };
}

/** Also requires the type of the resource. */
function on(resourceType: string, { clauses, events }: AuditedChange): AuditedChange {
  return { clauses: [clause('resource.type', resourceType), ...clauses], events };
}

/** Changes of Compute Engine, as current and former logs record them. */
function computeChanges(
  resourceType: string,
  methods: readonly string[],
  formerly: readonly string[] = methods,
): readonly AuditedChange[] {
  const versions = ['v1.', 'beta.', 'alpha.', ''];
  const subtype = 'jsonpayload.event_subtype';
  const former: AuditedChange = {
    clauses: formerly.map((method) => clause(subtype, method)),
    events: formerly.map((method) => [
      entryOf({
        logname: 'projects/p/logs/compute.googleapis.com%2Factivity_log',
        severity: 'INFO',
        'resource.labels.project_id': 'p',
        'resource.type': resourceType,
        [subtype]: method,
      }),
    ]),
  };
  return [
    on(resourceType, calls('compute.googleapis.com', resourceType, methods, versions)),
    on(resourceType, former),
  ];
}

/** A change of the IAM policy of a project. */
function policyChange(delta: Readonly<Record<string, string>>): LogEntry {
  return audited({
    'resource.type': 'project',
    'protopayload.servicename': RESOURCE_MANAGER,
    [METHOD]: 'SetIamPolicy',
    ...delta,
  });
}

function invitation(method: string): LogEntry {
  return audited({
    'resource.type': 'project',
    'protopayload.servicename': RESOURCE_MANAGER,
    [METHOD]: method,
  });
}

export const OWNERSHIP_CHANGES: readonly AuditedChange[] = [
  {
    clauses: [
      clause('protopayload.servicename', RESOURCE_MANAGER),
      clause(null, 'ProjectOwnership'),
      clause(null, 'projectOwnerInvitee'),
      clause(`${DELTA}.bindingdeltas.action`, 'ADD'),
      clause(`${DELTA}.bindingdeltas.action`, 'REMOVE'),
      clause(`${DELTA}.bindingdeltas.role`, 'roles/owner'),
    ],
    events: [
      [invitation('InsertProjectOwnershipInvite')],
      [invitation('projectOwnerInvitee')],
      ...['ADD', 'REMOVE'].map((action) => [
        policyChange({
          [`${DELTA}.bindingdeltas.action`]: action,
          [`${DELTA}.bindingdeltas.role`]: 'roles/owner',
        }),
      ]),
    ],
  },
];

export const AUDIT_CONFIG_CHANGES: readonly AuditedChange[] = [
  {
    clauses: [clause(METHOD, 'SetIamPolicy'), clause(`${DELTA}.auditconfigdeltas`, null)],
    events: ['ADD', 'REMOVE'].map((action) => [
      policyChange({
        [`${DELTA}.auditconfigdeltas.action`]: action,
        [`${DELTA}.auditconfigdeltas.service`]: 'allServices',
        [`${DELTA}.auditconfigdeltas.logtype`]: 'DATA_READ',
      }),
    ]),
  },
];

export const CUSTOM_ROLE_CHANGES: readonly AuditedChange[] = [
  on(
    'iam_role',
    calls('iam.googleapis.com', 'iam_role', [
      'google.iam.admin.v1.CreateRole',
      'google.iam.admin.v1.DeleteRole',
      'google.iam.admin.v1.UpdateRole',
    ]),
  ),
];

export const FIREWALL_CHANGES: readonly AuditedChange[] = computeChanges(
  'gce_firewall_rule',
  ['compute.firewalls.patch', 'compute.firewalls.insert', 'compute.firewalls.delete'],
  ['compute.firewalls.patch', 'compute.firewalls.insert'],
);

export const ROUTE_CHANGES: readonly AuditedChange[] = computeChanges('gce_route', [
  'compute.routes.delete',
  'compute.routes.insert',
]);

export const NETWORK_CHANGES: readonly AuditedChange[] = computeChanges('gce_network', [
  'compute.networks.insert',
  'compute.networks.patch',
  'compute.networks.delete',
  'compute.networks.removePeering',
  'compute.networks.addPeering',
]);

export const STORAGE_IAM_CHANGES: readonly AuditedChange[] = [
  on('gcs_bucket', calls('storage.googleapis.com', 'gcs_bucket', ['storage.setIamPermissions'])),
];

export const SQL_CHANGES: readonly AuditedChange[] = [
  calls('cloudsql.googleapis.com', 'cloudsql_database', ['cloudsql.instances.update']),
];
