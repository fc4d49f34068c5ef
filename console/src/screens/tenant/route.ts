import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';

export const tenantRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/tenant',
  component: lazyRouteComponent(() => import('./TenantPage.tsx'), 'TenantPage'),
});
