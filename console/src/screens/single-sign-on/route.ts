import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';

export const singleSignOnRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/single-sign-on',
  component: lazyRouteComponent(() => import('./SingleSignOnPage.tsx'), 'SingleSignOnPage'),
});
