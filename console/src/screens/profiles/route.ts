import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';

export const profilesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/profiles',
  component: lazyRouteComponent(() => import('./ProfilesPage.tsx'), 'ProfilesPage'),
});

export const newProfileRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/profiles/new',
  component: lazyRouteComponent(() => import('./ProfilePage.tsx'), 'NewProfilePage'),
});

export const profileRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/profiles/$name',
  component: lazyRouteComponent(() => import('./ProfilePage.tsx'), 'ProfilePage'),
});
