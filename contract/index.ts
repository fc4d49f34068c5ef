/** The contract of this API. The server, the documents and the SDK are derived from it. */
import { apiKeys } from './api-keys.ts';
import { assets } from './assets.ts';
import { auditEvents } from './audit.ts';
import { auth } from './auth.ts';
import { customRules } from './custom-rules.ts';
import { domains } from './domains.ts';
import { findings } from './findings.ts';
import { meta } from './meta.ts';
import { mutes } from './mutes.ts';
import { notifications } from './notifications.ts';
import { pages } from './pages.ts';
import { posture } from './posture.ts';
import { preflight } from './preflight.ts';
import { projects } from './projects.ts';
import { roles } from './roles.ts';
import type { Routes } from './route.ts';
import { profiles, rules } from './rules.ts';
import { saml } from './saml.ts';
import { scans } from './scans.ts';
import { schedules } from './schedules.ts';
import { sessions } from './sessions.ts';
import { pulls, sources } from './sources.ts';
import { tenant } from './tenant.ts';
import { twoFactor } from './two-factor.ts';
import { users } from './users.ts';
import { views } from './views.ts';
import { webhooks } from './webhooks.ts';

export const contract = {
  auth,
  twoFactor,
  sessions,
  apiKeys,
  users,
  roles,
  tenant,
  saml,
  domains,
  auditEvents,
  projects,
  assets,
  sources,
  pulls,
  preflight,
  scans,
  schedules,
  webhooks,
  findings,
  mutes,
  posture,
  views,
  notifications,
  rules,
  customRules,
  profiles,
  meta,
  pages,
} as const satisfies Record<string, Routes>;

export type Contract = typeof contract;

export { API_KEYS_MAX } from './api-keys.ts';
export { ASSET_FINDINGS_SHOWN, ASSET_SHOWN } from './assets.ts';
export { REQUEST_LIMITS } from './body-limits.ts';
export { type Deprecation, deprecationHeaders } from './deprecation.ts';
export { DOMAIN_RECORD_PREFIX } from './domains.ts';
export { alternativesOf } from './exactly-one.ts';
export { FEATURES, type Feature } from './features.ts';
export { impliedProblems } from './implied-problems.ts';
export { describeIssue, describeQueryIssue, type InputFault, inputFaults } from './input-faults.ts';
export { JSON_OBJECT_LIMITS, type JsonObjectLimits } from './json-object.ts';
export {
  DEFAULT_LIMIT,
  LIMITS,
  type Limit,
  type LimitName,
  OPEN_STREAMS,
  type StreamLimit,
  type StreamName,
} from './limits.ts';
export { MUTE_LIMITS } from './mutes.ts';
export { DIGESTS } from './notifications.ts';
export {
  BUILT_IN_ROLES,
  MASTER_KEY_PERMISSIONS,
  PERMISSIONS,
  type Permission,
} from './permissions.ts';
export {
  AUDIT_ACTIONS,
  type AuditAction,
  acceptedCredentials,
  CREDENTIAL_KINDS,
  type CredentialKind,
  type RoutePolicy,
} from './policy.ts';
export { POSTURE_MOST_DAYS } from './posture.ts';
export { CHECK_IDS } from './preflight.ts';
export {
  PROBLEM_CODES,
  PROBLEM_MEMBERS,
  PROBLEMS,
  Problem,
  type ProblemCode,
  problemSlug,
  problemType,
} from './problem.ts';
export { INVENTORY_LOCATIONS_SHOWN, INVENTORY_TYPES_SHOWN } from './projects.ts';
export type { Route, Routes } from './route.ts';
export { SAML_XML_LENGTH_MAX } from './saml.ts';
export { SarifLog } from './sarif.ts';
export { SCHEDULES_MAX } from './schedules.ts';
export { PULL_CONTENT_TYPES, PULL_STATUSES } from './sources.ts';
export { VIEWS_MAX } from './views.ts';
export {
  EVENT_FINDINGS_MAX,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_PAYLOADS,
  type WebhookEventType,
  type WebhookPayloads,
} from './webhook-events.ts';
export { WEBHOOKS_MAX } from './webhooks.ts';
