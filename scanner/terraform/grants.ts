import { hasReadableBindings, isAbsent } from '../facts/policy-form.ts';
import {
  child,
  isObject,
  items,
  type JsonObject,
  type JsonValue,
  objects,
  strings,
} from '../json.ts';
import { checkJsonText, JSON_LIMITS } from '../json-limits.ts';
import { type TerraformResource, UNKNOWN } from './document.ts';
import { IAM_TARGETS, type IamTarget } from './iam-targets.ts';
import type { Naming } from './naming.ts';
import type { Plan } from './plan.ts';
import { ANYTHING, type PolicyPart } from './policy-part.ts';

/** The grants of a Terraform IAM resource. */
export interface Grant {
  readonly target: IamTarget;
  /** The certain grants. */
  readonly certain: PolicyPart;
  /** The possible additional or alternative grants; null if everything is known. */
  readonly possible: PolicyPart | null;
  /** The resource replaces the whole policy, and its audit configurations are known or among the possible ones. */
  readonly hasAllAuditConfigs: boolean;
}

const IAM = /^google_(\w+)_iam_(policy|binding|member|audit_config)$/;

/** Null for a resource that is not an IAM resource, or not one in the table of targets. */
export function grantOf(resource: TerraformResource, plan: Plan, naming: Naming): Grant | null {
  const [, base = '', kind] = IAM.exec(resource.type) ?? [];
  const target = IAM_TARGETS.get(base);
  if (target === undefined) return null;
  const { bindings, auditConfigs } = contentOf(resource, kind, plan, naming);
  const certain: PolicyPart = {
    bindings: bindings.filter(isKnown),
    auditConfigs: auditConfigs?.filter(isKnown) ?? [],
  };
  const possible: PolicyPart = {
    bindings: [
      ...bindings.filter((binding) => !isKnown(binding)),
      ...possibleAccounts(resource, plan),
    ],
    auditConfigs: auditConfigs?.filter((config) => !isKnown(config)) ?? [],
  };
  const isOpen = possible.bindings.length + possible.auditConfigs.length > 0;
  return {
    target,
    certain,
    possible: isOpen ? possible : null,
    hasAllAuditConfigs: kind === 'policy' && auditConfigs !== null,
  };
}

/** What an IAM resource sets. */
interface Content {
  readonly bindings: readonly JsonObject[];
  /** Null if the resource does not show any. */
  readonly auditConfigs: readonly JsonObject[] | null;
}

function contentOf(
  resource: TerraformResource,
  kind: string | undefined,
  plan: Plan,
  naming: Naming,
): Content {
  const { values } = resource;
  if (kind === 'audit_config') return { bindings: [], auditConfigs: [auditConfigOf(values)] };
  const { policy_data: data } = values;
  if (data === UNKNOWN) return plannedPolicyOf(resource, plan);
  if (typeof data === 'string') return policyIn(data);
  return { bindings: bindingsOf(resource, plan, naming), auditConfigs: null };
}

/** Whether a binding has no unknown part except the description of its condition. */
function isKnown({ condition: _, ...binding }: JsonObject): boolean {
  return !JSON.stringify(binding).includes(JSON.stringify(UNKNOWN).slice(1, -1));
}

/** One binding for the known members and one for the unknown ones. */
function bindingsOf(
  resource: TerraformResource,
  plan: Plan,
  naming: Naming,
): readonly JsonObject[] {
  const { values } = resource;
  const role = values['role'] ?? UNKNOWN;
  const [condition] = objects(values, 'condition');
  const withCondition = condition === undefined ? {} : { condition };
  const expression = child(resource.configuration, 'expressions');
  const single = values['member'] !== undefined;
  const given: readonly JsonValue[] = single
    ? [values['member'] ?? UNKNOWN]
    : values['members'] === UNKNOWN
      ? [UNKNOWN]
      : items(values, 'members');
  const known = given.filter((member) => member !== UNKNOWN);
  const bindings: JsonObject[] = [{ role, members: known, ...withCondition }];
  if (known.length === given.length) return bindings;
  // If one member of a set is unknown, the plan shows none of them, not even constants.
  const principals = single ? principalsIn(resource, expression?.['member'], plan, naming) : null;
  bindings.push({ role, members: principals ?? [UNKNOWN], ...withCondition });
  return bindings;
}

/**
 * The attributes that always contain a service agent of Google, by resource type. Attributes of the same names on other
 * resources contain accounts that people make, or the default account of Compute Engine.
 */
const SERVICE_AGENTS: readonly (readonly [type: RegExp, attributes: readonly string[]])[] = [
  [/^google_project_service_identity$/, ['email', 'member']],
  [/^google_sql_database_instance$/, ['service_account_email_address']],
  [/^google_logging_(project|folder|organization|billing_account)_sink$/, ['writer_identity']],
  [/^google_scc_(v2_)?((organization|folder|project)_)?notification_config$/, ['service_account']],
];

function isServiceAgent({ type, values }: TerraformResource, attribute: string): boolean {
  // A sink of a project writes as a given account, or as the one that all projects share, unless it has an own one.
  const isShared =
    type === 'google_logging_project_sink' &&
    (values['unique_writer_identity'] !== true || values['custom_writer_identity'] !== undefined);
  return (
    !isShared &&
    SERVICE_AGENTS.some(([types, names]) => types.test(type) && names.includes(attribute))
  );
}

/** Whether an attribute is the number of a project, of which Google forms the addresses of accounts. */
function isProjectNumber({ type }: TerraformResource, attribute: string): boolean {
  return attribute === 'project_number' || (type === 'google_project' && attribute === 'number');
}

/**
 * The unknown members of an expression that can only be service accounts, because it refers to nothing else. Null if
 * they may be anyone.
 */
function principalsIn(
  resource: TerraformResource,
  expression: JsonValue | undefined,
  plan: Plan,
  naming: Naming,
): readonly string[] | null {
  if (expression === undefined) return null;
  const { resources, types, isComplete } = plan.resolve(resource, expression);
  if (!isComplete || resources.length === 0) return null;
  if (types.size !== new Set(resources.map((one) => one.resource.type)).size) return null;
  const members: string[] = [];
  for (const { resource: target, attribute } of resources.slice(0, MEMBERS_MAX)) {
    const member = attribute === null ? null : principalIn(target, attribute, resource, naming);
    if (member === null) return null;
    members.push(member);
  }
  return members;
}

const MEMBERS_MAX = 1_000;

/** The principal in an attribute of a resource to which a grant refers; null if it may be anyone. */
function principalIn(
  target: TerraformResource,
  attribute: string,
  grant: TerraformResource,
  naming: Naming,
): string | null {
  const email = naming.emailOf(target);
  if (email !== null) return `serviceAccount:${email}`;
  if (/^google_iam_work(load|force)/.test(target.type) && attribute === 'name') {
    return `principalSet://iam.googleapis.com/${target.address}`;
  }
  if (isServiceAgent(target, attribute)) return agentNamed(target.address);
  // Each grant may be to another agent of the project.
  return isProjectNumber(target, attribute) ? agentNamed(grant.address) : null;
}

function agentNamed(address: string): string {
  return `serviceAccount:service-${address}@gcp-sa-agent.iam.gserviceaccount.com`;
}

/**
 * A plan has the references of a text, not the text around them. A member with a project's number may therefore be any
 * account: rules treat a default account, and one that is not a service agent, more strictly.
 */
function possibleAccounts(resource: TerraformResource, plan: Plan): readonly JsonObject[] {
  const expression = child(child(resource.configuration, 'expressions'), 'member');
  if (resource.values['member'] !== UNKNOWN || expression === null) return [];
  const { resources } = plan.resolve(resource, expression);
  const hasNumber = resources.some(
    ({ resource: target, attribute }) => attribute !== null && isProjectNumber(target, attribute),
  );
  return hasNumber ? [{ role: resource.values['role'] ?? UNKNOWN, members: STRICTEST }] : [];
}

const STRICTEST: readonly string[] = [
  'serviceAccount:0-compute@developer.gserviceaccount.com',
  'serviceAccount:0@0.iam.gserviceaccount.com',
];

/** A data source `google_iam_policy` that is read only after apply, as far as the plan shows it. */
function plannedPolicyOf(resource: TerraformResource, plan: Plan): Content {
  const expression = child(child(resource.configuration, 'expressions'), 'policy_data');
  const policy = plan.iamPolicy(resource.module, expression);
  if (policy === null) return { bindings: [ANYTHING], auditConfigs: null };
  return {
    bindings: plannedBindingsOf(policy),
    auditConfigs:
      policy['audit_config'] === UNKNOWN
        ? null
        : objects(policy, 'audit_config').map((config) =>
            auditConfigOf(config, 'audit_log_configs'),
          ),
  };
}

function plannedBindingsOf(policy: JsonObject): readonly JsonObject[] {
  if (policy['binding'] === UNKNOWN) return [ANYTHING];
  return objects(policy, 'binding').flatMap((binding) => {
    const role = binding['role'] ?? UNKNOWN;
    const members = binding['members'] === UNKNOWN ? [UNKNOWN] : items(binding, 'members');
    const known = members.filter((member) => member !== UNKNOWN);
    return known.length === members.length
      ? [{ role, members }]
      : [
          { role, members: known },
          { role, members: [UNKNOWN] },
        ];
  });
}

/**
 * The data source `google_iam_policy` produces the policy in the form of the API. In another form, or beyond the limits
 * of a record, it may grant anything.
 */
function policyIn(json: string): Content {
  const policy = parse(json);
  if (!isObject(policy)) return { bindings: [ANYTHING], auditConfigs: null };
  const bindings = objects(policy, 'bindings');
  const { auditConfigs } = policy;
  return {
    bindings: hasReadableBindings(policy) ? bindings : [...bindings, ANYTHING],
    auditConfigs:
      isAbsent(auditConfigs) || (Array.isArray(auditConfigs) && auditConfigs.every(isObject))
        ? objects(policy, 'auditConfigs')
        : null,
  };
}

function parse(json: string): JsonValue | undefined {
  try {
    checkJsonText(json, JSON_LIMITS.record);
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** @param logs the name of the block for each kind of log, which differs between the resource and the data source */
function auditConfigOf(values: JsonObject, logs = 'audit_log_config'): JsonObject {
  return {
    service: values['service'] ?? UNKNOWN,
    auditLogConfigs:
      values[logs] === UNKNOWN
        ? UNKNOWN
        : objects(values, logs).map((config) => ({
            logType: config['log_type'] ?? UNKNOWN,
            exemptedMembers:
              config['exempted_members'] === UNKNOWN
                ? UNKNOWN
                : strings(config, 'exempted_members'),
          })),
  };
}
