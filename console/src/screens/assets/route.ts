import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../root-route.tsx';
import { readAssetSearch, readAssetsSearch } from './search.ts';

export const assetsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$name/assets',
  validateSearch: readAssetsSearch,
  component: lazyRouteComponent(() => import('./AssetsPage.tsx'), 'AssetsPage'),
});

export const assetRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$name/assets/lookup',
  validateSearch: readAssetSearch,
  component: lazyRouteComponent(() => import('./AssetPage.tsx'), 'AssetPage'),
});
