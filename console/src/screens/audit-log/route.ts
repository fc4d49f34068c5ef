import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';
import { readSearch } from './search.ts';

export const auditLogRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/audit-log',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./AuditLogPage.tsx'), 'AuditLogPage'),
});
