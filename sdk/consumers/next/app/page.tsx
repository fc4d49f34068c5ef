import { createClient } from '@cspm/sdk';
import { createQueryUtils } from '@cspm/sdk/react-query';
import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { Findings } from './findings';

export const dynamic = 'force-dynamic';

export default async function Page() {
  const { CSPM_URL: baseUrl = '', CSPM_API_KEY: apiKey = '' } = process.env;
  const api = createQueryUtils(createClient({ baseUrl, apiKey }));
  const queryClient = new QueryClient();
  await queryClient.prefetchInfiniteQuery(
    api.findings.list.infiniteQueryOptions({ project: 'shop-prod', severity: 'high' }),
  );
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <Findings />
    </HydrationBoundary>
  );
}
