import * as sdk from '@cspm/sdk';
import { createQueryUtils } from '@cspm/sdk/react-query';
import * as session from '@cspm/sdk/session';
import * as upload from '@cspm/sdk/upload';
import * as webhooks from '@cspm/sdk/webhooks';
import {
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { exercise } from './exercise.mjs';

/** The exercise of all consumers, and a page with the queries of one. */
globalThis.exercise = (baseUrl) =>
  exercise({ ...sdk, ...session, ...upload, ...webhooks }, baseUrl);
globalThis.show = (baseUrl) => {
  const api = createQueryUtils(sdk.createClient({ baseUrl, apiKey: 'cspm_consumer' }));
  createRoot(document.querySelector('main')).render(
    <QueryClientProvider client={new QueryClient()}>
      <Findings api={api} />
      <Rule api={api} />
    </QueryClientProvider>,
  );
};

function Findings({ api }) {
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery(
    api.findings.list.infiniteQueryOptions({ project: 'shop-prod', severity: 'high' }),
  );
  if (!data) return <p>Loading findings</p>;
  return (
    <>
      <ul>
        {data.pages.flatMap(({ items }) =>
          items.map(({ ruleId }) => <li key={ruleId}>{ruleId}</li>),
        )}
      </ul>
      {hasNextPage && (
        <button type="button" onClick={() => fetchNextPage()}>
          More
        </button>
      )}
    </>
  );
}

function Rule({ api }) {
  const { error } = useQuery(api.rules.get.queryOptions({ id: 'no-such-rule' }));
  return <p role="status">{error ? error.code : 'Loading the rule'}</p>;
}
