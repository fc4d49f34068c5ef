import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';

export const customRulesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/custom-rules',
  component: lazyRouteComponent(() => import('./CustomRulesPage.tsx'), 'CustomRulesPage'),
});

/** The id of a rule never begins with an underscore, so no rule has this address. */
export const newCustomRuleRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/custom-rules/_new',
  component: lazyRouteComponent(() => import('./CustomRulePage.tsx'), 'NewCustomRulePage'),
});

export const customRuleRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/custom-rules/$id',
  component: lazyRouteComponent(() => import('./CustomRulePage.tsx'), 'CustomRulePage'),
});
