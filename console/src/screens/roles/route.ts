import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';

export const rolesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/roles',
  component: lazyRouteComponent(() => import('./RolesPage.tsx'), 'RolesPage'),
});
