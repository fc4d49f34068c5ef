/** The promise of this API. Everything that works is in it; the server, the documents and the SDK are derived from it. */
import { apiKeys } from './api-keys.ts';
import { auditEvents } from './audit.ts';
import { auth } from './auth.ts';
import { customRules } from './custom-rules.ts';
import { findings } from './findings.ts';
import { meta } from './meta.ts';
import { mutes } from './mutes.ts';
import { pages } from './pages.ts';
import { preflight } from './preflight.ts';
import { projects } from './projects.ts';
import { roles } from './roles.ts';
import type { Routes } from './route.ts';
import { profiles, rules } from './rules.ts';
import { saml } from './saml.ts';
import { scans } from './scans.ts';
import { sessions } from './sessions.ts';
import { tenant } from './tenant.ts';
import { twoFactor } from './two-factor.ts';
import { users } from './users.ts';

export const contract = {
  auth,
  twoFactor,
  sessions,
  apiKeys,
  users,
  roles,
  tenant,
  saml,
  auditEvents,
  projects,
  preflight,
  scans,
  findings,
  mutes,
  rules,
  customRules,
  profiles,
  meta,
  pages,
} as const satisfies Record<string, Routes>;

export type Contract = typeof contract;

export { type Deprecation, deprecationHeaders } from './deprecation.ts';
export { FEATURES, type Feature } from './features.ts';
export { impliedProblems } from './implied-problems.ts';
export { DEFAULT_LIMIT, LIMITS, type Limit, type LimitName } from './limits.ts';
export { BUILT_IN_ROLES, PERMISSIONS, type Permission } from './permissions.ts';
export {
  AUDIT_ACTIONS,
  type AuditAction,
  CREDENTIAL_KINDS,
  type CredentialKind,
  type RoutePolicy,
} from './policy.ts';
export { CHECK_IDS } from './preflight.ts';
export {
  PROBLEM_CODES,
  PROBLEMS,
  Problem,
  type ProblemCode,
  problemSlug,
  problemType,
} from './problem.ts';
export type { Route, Routes } from './route.ts';
