import type { Handlers } from '../pipeline/handler.ts';
import { apiKeys } from './api-keys.ts';
import { auditEvents } from './audit-events.ts';
import { auth } from './auth.ts';
import { customRules } from './custom-rules.ts';
import { findings } from './findings.ts';
import { meta } from './meta.ts';
import { mutes } from './mutes.ts';
import { pages } from './pages.ts';
import { preflight } from './preflight.ts';
import { profiles } from './profiles.ts';
import { projects } from './projects.ts';
import { roles } from './roles.ts';
import { rules } from './rules.ts';
import { saml } from './saml.ts';
import { scans } from './scans.ts';
import { sessions } from './sessions.ts';
import { tenant } from './tenant.ts';
import { twoFactor } from './two-factor.ts';
import { users } from './users.ts';

/** One file for each resource of the contract, with the same names. */
export const handlers: Handlers = {
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
};
