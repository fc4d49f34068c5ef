import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';

export const sourceRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$name/source',
  component: lazyRouteComponent(() => import('./SourcePage.tsx'), 'SourcePage'),
});
