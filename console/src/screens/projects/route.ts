import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textParam } from '../../lib/search-params.ts';
import { appRoute } from '../../root-route.tsx';

export const projectsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects',
  validateSearch: (raw: Record<string, unknown>): { readonly q?: string | undefined } => ({
    q: textParam(raw['q']),
  }),
  component: lazyRouteComponent(() => import('./ProjectsPage.tsx'), 'ProjectsPage'),
});

export const projectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$name',
  component: lazyRouteComponent(() => import('./ProjectPage.tsx'), 'ProjectPage'),
});
