import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';

export const projectsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects',
  component: lazyRouteComponent(() => import('./ProjectsPage.tsx'), 'ProjectsPage'),
});

export const projectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$name',
  component: lazyRouteComponent(() => import('./ProjectPage.tsx'), 'ProjectPage'),
});
