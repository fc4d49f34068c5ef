'use client';

import { createClient, UnauthorizedError } from '@cspm/sdk';
import { createQueryUtils } from '@cspm/sdk/react-query';
import { localStorageStore, storedSession } from '@cspm/sdk/session';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';

const session = storedSession(localStorageStore());
const baseUrl = process.env.NEXT_PUBLIC_CSPM_URL ?? '';
const api = createQueryUtils(createClient({ baseUrl, session }));

export function Findings() {
  const findings = useInfiniteQuery(
    api.findings.list.infiniteQueryOptions({ project: 'shop-prod', severity: 'high' }),
  );
  const signIn = useMutation({
    ...api.auth.login.mutationOptions(),
    onSuccess: () => findings.fetchNextPage(),
  });
  const rows = findings.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <main>
      <ul>
        {rows.map(({ id, ruleId }) => (
          <li key={id}>{ruleId}</li>
        ))}
      </ul>
      {findings.hasNextPage && (
        <button type="button" onClick={() => findings.fetchNextPage()}>
          More
        </button>
      )}
      {findings.error instanceof UnauthorizedError && (
        <form
          action={(form) =>
            signIn.mutate({ email: `${form.get('email')}`, password: `${form.get('password')}` })
          }
        >
          <input name="email" type="email" aria-label="E-mail" />
          <input name="password" type="password" aria-label="Password" />
          <button type="submit">{signIn.isPending ? 'Signing in' : 'Sign in'}</button>
          {signIn.error && <p role="alert">{signIn.error.message}</p>}
        </form>
      )}
    </main>
  );
}
