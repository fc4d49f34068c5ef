import { createRouter } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from './lib/search-params.ts';
import { appRoute, rootRoute, ScreenFailure } from './root-route.tsx';
import { accountRoute } from './screens/account/route.ts';
import { apiKeysRoute } from './screens/api-keys/route.ts';
import { assetRoute, assetsRoute } from './screens/assets/route.ts';
import { auditLogRoute } from './screens/audit-log/route.ts';
import { callbackRoute } from './screens/callback/route.ts';
import { complianceRoute } from './screens/compliance/route.ts';
import {
  customRuleRoute,
  customRulesRoute,
  newCustomRuleRoute,
} from './screens/custom-rules/route.ts';
import { dashboardRoute } from './screens/dashboard/route.ts';
import { findingsRoute } from './screens/findings/route.ts';
import {
  acceptInviteRoute,
  forgottenPasswordRoute,
  resetPasswordRoute,
  verifyEmailRoute,
} from './screens/mail-links/routes.ts';
import { mutesRoute } from './screens/mutes/route.ts';
import { peopleRoute } from './screens/people/route.ts';
import { newProfileRoute, profileRoute, profilesRoute } from './screens/profiles/route.ts';
import { projectRoute, projectsRoute } from './screens/projects/route.ts';
import { registerRoute } from './screens/register/route.ts';
import { rolesRoute } from './screens/roles/route.ts';
import { ruleRoute, rulesRoute } from './screens/rules/route.ts';
import { compareScansRoute, scanRoute, scansRoute } from './screens/scans/route.ts';
import { schedulesRoute } from './screens/schedules/route.ts';
import { signInRoute } from './screens/sign-in/route.ts';
import { singleSignOnRoute } from './screens/single-sign-on/route.ts';
import { sourceRoute } from './screens/source/route.ts';
import { tenantRoute } from './screens/tenant/route.ts';
import { webhookRoute, webhooksRoute } from './screens/webhooks/route.ts';

const routeTree = rootRoute.addChildren([
  signInRoute,
  registerRoute,
  forgottenPasswordRoute,
  verifyEmailRoute,
  resetPasswordRoute,
  acceptInviteRoute,
  callbackRoute,
  appRoute.addChildren([
    accountRoute,
    apiKeysRoute,
    assetRoute,
    assetsRoute,
    auditLogRoute,
    compareScansRoute,
    complianceRoute,
    customRuleRoute,
    customRulesRoute,
    dashboardRoute,
    findingsRoute,
    mutesRoute,
    newCustomRuleRoute,
    newProfileRoute,
    peopleRoute,
    profileRoute,
    profilesRoute,
    projectRoute,
    projectsRoute,
    rolesRoute,
    ruleRoute,
    rulesRoute,
    scanRoute,
    scansRoute,
    schedulesRoute,
    singleSignOnRoute,
    sourceRoute,
    tenantRoute,
    webhookRoute,
    webhooksRoute,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultPreload: false,
  defaultErrorComponent: ScreenFailure,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
