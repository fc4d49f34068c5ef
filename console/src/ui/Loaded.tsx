import { ForbiddenError, NotFoundError } from '@cspm/sdk';
import type { ReactNode } from 'react';
import { errorText } from '../lib/error-text.ts';
import { Button } from './Button.tsx';
import { FormError } from './Field.tsx';
import { Failure } from './States.tsx';

/** What `Loaded` reads of the result of `useQuery` and `useInfiniteQuery`. */
interface LoadedQuery {
  readonly data: unknown;
  readonly error: unknown;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly isFetchNextPageError?: boolean;
  readonly refetch: () => unknown;
}

interface LoadedProps {
  readonly query: LoadedQuery;
  /** What shows the data, or that it is loading. It stays mounted when a reload fails. */
  readonly children: ReactNode;
}

/**
 * Shows the data of a query, or why there is none. If the data is there and a reload or the next page failed, it stays, with
 * the failure beside it. If the server answers that it does not exist or may no longer be read, it does not stay.
 */
export function Loaded({ query, children }: LoadedProps) {
  const { data, error, isError, isFetching, isFetchNextPageError = false, refetch } = query;
  const isFinal = error instanceof NotFoundError || error instanceof ForbiddenError;
  if (isError && (data === undefined || isFinal)) {
    return <Failure error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      {isError && !isFetchNextPageError && (
        <FormError>
          This could not be loaded again and may be out of date. {errorText(error)}{' '}
          <Button busy={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </FormError>
      )}
      {children}
      {isFetchNextPageError && !isFetching && (
        <FormError>The next page could not be loaded. {errorText(error)}</FormError>
      )}
    </>
  );
}
