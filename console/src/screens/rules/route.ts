import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';
import { readSearch } from './search.ts';

export const rulesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/rules',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./RulesPage.tsx'), 'RulesPage'),
});

export const ruleRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/rules/$id',
  component: lazyRouteComponent(() => import('./RulePage.tsx'), 'RulePage'),
});
