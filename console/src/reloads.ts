import { RateLimitError, type Scan } from '@cspm/sdk';
import type { Query } from '@tanstack/react-query';
import { isActive } from './parts/scan-statuses.ts';
import { queryClient } from './queries.ts';

/** How often a visible page looks for old data, and how old the data is then that nobody came back to. */
const LOOK_EVERY_MS = 60_000;
const OLD_MS = 5 * 60_000;
/** The shortest time between two reloads because of scans that ended. */
const ENDED_EVERY_MS = 10_000;
/** Each page of a list costs a request. */
const MAX_PAGES = 5;

/** What scans change. */
const CHANGED = new Set<unknown>([
  'scans',
  'posture',
  'findings',
  'findings-changes',
  'projects',
  'assets',
]);

/** What a person works on: new data could take it away. */
const WORK = 'dialog[open], [popover]:popover-open:not([aria-live]), main form, main [data-held]';

/** The API accepts no request before this time. */
let pausedUntil = 0;
let nextReload = 0;
/** A reload has been put off. */
let isDue = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The ids of scans whose end is known here. */
const ended = new Set<string>();
const channel = new BroadcastChannel('cspm-scans');
channel.onmessage = ({ data }: MessageEvent<string>) => onScanEnd(data);

/**
 * Loads shown data again when the person comes back to the page, after a scan has ended, and every few minutes while the
 * page is visible. Only queries with `reloadAfterMs` take part.
 * @returns a function that stops it.
 */
export function startReloads(): () => void {
  const stops = [
    queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') notePause(event.action.error);
    }),
    on(document, 'visibilitychange'),
    on(window, 'focus'),
  ];
  const looks = setInterval(reload, LOOK_EVERY_MS, OLD_MS);
  return () => {
    for (const stop of stops) stop();
    clearInterval(looks);
    clearTimeout(timer);
  };
}

function on(target: EventTarget, type: string): () => void {
  const onReturn = () => reload(0);
  target.addEventListener(type, onReturn);
  return () => target.removeEventListener(type, onReturn);
}

/** The ids of scans that ran when they were last loaded. */
const running = new Set<string>();

/** Takes note of loaded scans. What a scan changes is loaded again when it has ended, in this tab and in others. */
export function noteScans(scans: readonly Pick<Scan, 'id' | 'status'>[]): void {
  for (const { id, status } of scans) {
    if (isActive(status)) running.add(id);
    else if (running.delete(id) && !ended.has(id)) {
      channel.postMessage(id);
      onScanEnd(id);
    }
  }
}

function onScanEnd(id: string): void {
  if (ended.has(id)) return;
  ended.add(id);
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => CHANGED.has(queryKey[0]),
    refetchType: 'none',
  });
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      nextReload = Date.now() + ENDED_EVERY_MS;
      reload(0);
    },
    Math.max(0, nextReload - Date.now()),
  );
}

function notePause(error: unknown): void {
  if (error instanceof RateLimitError)
    pausedUntil = Math.max(pausedUntil, Date.now() + (error.retryAfterMs ?? 0));
}

/**
 * Puts a reload off to the next look while the person works on something or the API accepts no request.
 * @param leastAge data that is younger is kept, unless a scan has ended since.
 */
function reload(leastAge: number): void {
  if (document.visibilityState !== 'visible') return;
  isDue ||= leastAge === 0;
  if (Date.now() < pausedUntil || document.querySelector(WORK) !== null) return;
  const age = isDue ? 0 : leastAge;
  isDue = false;
  void queryClient.refetchQueries(
    { type: 'active', predicate: (query) => isOld(query, age) },
    { cancelRefetch: false },
  );
}

function isOld(query: Query, leastAge: number): boolean {
  const { reloadAfterMs } = query.meta ?? {};
  if (reloadAfterMs === undefined) return false;
  const age = Math.max(reloadAfterMs, leastAge);
  const { data, errorUpdatedAt } = query.state;
  const { pages = [] } = (data ?? {}) as { readonly pages?: readonly unknown[] };
  const hasFailedBefore = Date.now() - errorUpdatedAt < age;
  return query.isStaleByTime(age) && !hasFailedBefore && pages.length <= MAX_PAGES;
}
