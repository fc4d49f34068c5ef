import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';
import { readSearch } from './search.ts';

export const findingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/findings',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./FindingsPage.tsx'), 'FindingsPage'),
});
