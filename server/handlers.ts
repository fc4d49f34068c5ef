import { apiKeys } from './modules/api-keys/handlers.ts';
import { assets } from './modules/assets/handlers.ts';
import { auditEvents } from './modules/audit/handlers.ts';
import { auth } from './modules/auth/handlers.ts';
import { saml } from './modules/auth/saml/handlers.ts';
import { sessions } from './modules/auth/sessions/handlers.ts';
import { twoFactor } from './modules/auth/two-factor/handlers.ts';
import { findings } from './modules/findings/handlers.ts';
import { mutes } from './modules/findings/mute-handlers.ts';
import { users } from './modules/members/handlers.ts';
import { meta } from './modules/meta/handlers.ts';
import { pages } from './modules/meta/page-handlers.ts';
import { notifications } from './modules/notifications/handlers.ts';
import { posture } from './modules/posture/handlers.ts';
import { projects } from './modules/projects/handlers.ts';
import { roles } from './modules/roles/handlers.ts';
import { customRules } from './modules/rules/custom-rule-handlers.ts';
import { rules } from './modules/rules/handlers.ts';
import { profiles } from './modules/rules/profile-handlers.ts';
import { scans } from './modules/scans/handlers.ts';
import { preflight } from './modules/scans/preflight-handlers.ts';
import { schedules } from './modules/schedules/handlers.ts';
import { sources } from './modules/sources/handlers.ts';
import { pulls } from './modules/sources/pull-handlers.ts';
import { domains } from './modules/tenants/domain-handlers.ts';
import { tenant } from './modules/tenants/handlers.ts';
import { views } from './modules/views/handlers.ts';
import { webhooks } from './modules/webhooks/handlers.ts';
import type { Handlers } from './platform/handler.ts';
import type { Services } from './services.ts';

/** One file per resource of the contract, with the same names. */
export const handlers: Handlers<Services> = {
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
};
