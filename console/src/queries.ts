import { type Identity, UnauthorizedError } from '@cspm/sdk';
import {
  MutationCache,
  onlineManager,
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
  replaceEqualDeep,
} from '@tanstack/react-query';
import { reachable, refusals } from './connection.ts';
import { ownedSession } from './lib/owned-session.ts';
import { createStore } from './lib/store.ts';
import { onForget } from './loaded-data.ts';
import { anyonesApi, bindApi, session, sessionEnded } from './session.ts';

export type Permission = Identity['permissions'][number];

const FRESH_MS = 30_000;

/** Shown data of a query with this `meta` is kept up to date: see `reloads.ts`. */
export const KEPT_FRESH = { reloadAfterMs: FRESH_MS };

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The age from which shown data is loaded again; left out: it is not. */
      readonly reloadAfterMs?: number;
      /** Another query compares the data with the server, instead of loading all of it again. */
      readonly isCompared?: boolean;
    };
  }
}

/** The first part of the key of the identity. */
const OWN = 'identity';
const IDENTITY_FRESH_MS = 5 * 60_000;
/** The shortest time between two reloads, for connections that fail again and again. */
const RELOAD_EVERY_MS = 5000;

/**
 * One cache for the page. The API allows 60 requests a minute for an address, so what was loaded less than 30 s ago is
 * not loaded again, and the SDK alone repeats failed calls.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: noticeRefusal,
    // Not called for an answer that a later load has replaced.
    onSuccess: (data, { queryKey }) => {
      if (queryKey[0] === OWN) showIdentity(data as Identity);
    },
  }),
  mutationCache: new MutationCache({ onError: noticeRefusal }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    mutations: { retry: false },
  },
});

onForget(() => queryClient.clear());

/** A refused session leads to the sign-in page. */
function noticeRefusal(error: Error): void {
  if (error instanceof UnauthorizedError && error.code === 'UNAUTHORIZED') sessionEnded();
}

/** Of the person whose screen is shown, also after the end of the session until the screen gives way to the sign-in page. */
const lastIdentity = createStore<Identity | undefined>(undefined);

/** The user, the tenant and the permissions. */
export const identityQuery = queryOptions({
  queryKey: [OWN],
  queryFn: () => anyonesApi.auth.me(),
  staleTime: IDENTITY_FRESH_MS,
});

function showIdentity(loaded: Identity): void {
  const before = lastIdentity.get();
  const identity = replaceEqualDeep(before, loaded);
  const owner = ownerOf(identity);
  if (before === undefined || ownerOf(before) !== owner) {
    forgetDataOfOthers();
    bindApi(ownedSession(session, owner, reloadIdentity));
  }
  lastIdentity.set(identity);
}

/** Identifies whose data and forms a screen shows: one person in one tenant. */
export function ownerOf({ user, tenant }: Identity): string {
  return `${user?.id} ${tenant.id}`;
}

/** Another tab has signed in somebody else, or the same person to another tenant. */
function forgetDataOfOthers(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== OWN });
}

function reloadIdentity(): void {
  const { queryKey } = identityQuery;
  void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
}

/** A refused call may mean that the role has changed. */
refusals.subscribe(() => {
  void queryClient.invalidateQueries({ queryKey: identityQuery.queryKey });
});

let lostAt = 0;
let nextReload = 0;
let reload: ReturnType<typeof setTimeout> | undefined;

/**
 * When the device is online again, or the server answers any call after an interruption, loads the data again that the page
 * had loaded before.
 */
function followConnection(isConnected: boolean): void {
  clearTimeout(reload);
  if (!isConnected) {
    lostAt = Date.now();
    return;
  }
  const load = () => {
    nextReload = Date.now() + RELOAD_EVERY_MS;
    void queryClient.refetchQueries(
      {
        type: 'active',
        predicate: (query) => query.state.dataUpdatedAt <= lostAt && !isKept(query),
      },
      { cancelRefetch: false },
    );
  };
  reload = setTimeout(load, Math.max(0, nextReload - Date.now()));
}

reachable.subscribe(followConnection);
onlineManager.subscribe(followConnection);

/**
 * The list of findings would begin again with its first page, without the place and the selection of the person. Its
 * comparison with the server is loaded instead: see `use-list-changes.ts`.
 */
function isKept({ meta, state: { data, status, fetchMeta } }: Query) {
  // After a failed load of the whole list nothing is compared. After one of a further page the rows are as good as before.
  const isUsable = data !== undefined && (status === 'success' || fetchMeta?.fetchMore != null);
  return meta?.isCompared === true && isUsable;
}

/** The identity, which is loaded before any screen behind the sign-in is shown. */
export function useIdentity(): Identity {
  const identity = lastIdentity.use();
  if (identity === undefined) throw new Error('The identity is not loaded yet');
  return identity;
}

/** Whether the person has a permission. Hide what they cannot use; the server decides in any case. */
export function useCan(): (permission: Permission) => boolean {
  const { permissions } = useIdentity();
  return (permission) => permissions.includes(permission);
}
