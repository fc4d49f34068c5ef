import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';
import { readCompareSearch } from './compare-search.ts';
import { readScansSearch } from './search.ts';

export const scansRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/scans',
  validateSearch: readScansSearch,
  component: lazyRouteComponent(() => import('./ScansPage.tsx'), 'ScansPage'),
});

export const scanRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/scans/$id',
  component: lazyRouteComponent(() => import('./ScanPage.tsx'), 'ScanPage'),
});

export const compareScansRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/scans/$id/compare',
  validateSearch: readCompareSearch,
  component: lazyRouteComponent(() => import('./CompareScansPage.tsx'), 'CompareScansPage'),
});
