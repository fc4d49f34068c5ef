import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';
import { readSearch } from './search.ts';

export const mutesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/mutes',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./MutesPage.tsx'), 'MutesPage'),
});
