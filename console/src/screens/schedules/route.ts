import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';

export const schedulesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/schedules',
  component: lazyRouteComponent(() => import('./SchedulesPage.tsx'), 'SchedulesPage'),
});
