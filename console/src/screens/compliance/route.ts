import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { FRAMEWORKS } from '../../parts/frameworks.ts';
import { appRoute } from '../../root-route.tsx';
import { type ComplianceSearch, STATUSES } from './search.ts';

export const complianceRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/compliance',
  validateSearch: (raw: Record<string, unknown>): ComplianceSearch => ({
    framework: FRAMEWORKS.find((one) => one === raw['framework']),
    status: STATUSES.find((one) => one === raw['status']),
  }),
  component: lazyRouteComponent(() => import('./CompliancePage.tsx'), 'CompliancePage'),
});
