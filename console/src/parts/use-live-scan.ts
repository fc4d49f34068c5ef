import type { Scan } from '@cspm/sdk';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { reachable } from '../connection.ts';
import { noteScans } from '../reloads.ts';
import { api } from '../session.ts';
import { isActive } from './scan-statuses.ts';

export const scanKey = (id: string) => ['scans', 'one', id];

/** How often a running scan is loaded whose events cannot be received, and after a failure. */
const POLL_MS = 10_000;
const POLL_AFTER_FAILURE_MS = 60_000;

/** A scan whose progress is followed. `isPolled`: its events cannot be received. */
type LiveScan = UseQueryResult<Scan> & { readonly isPolled: boolean };

/**
 * Loads a scan and, while it runs, follows its events. Of several tabs with the same scan one holds the connection and
 * tells the others: a browser opens only six connections to a server that speaks HTTP/1.1. When the events fail, the scan
 * is loaded again every few seconds instead.
 */
export function useLiveScan(id: string): LiveScan {
  const queryClient = useQueryClient();
  const [isPolled, setPolled] = useState(false);
  const isReachable = reachable.use();
  const scan = useQuery({
    queryKey: scanKey(id),
    queryFn: async () => {
      const loaded = await api.scans.get({ id });
      noteScans([loaded]);
      return loaded;
    },
    refetchInterval: ({ state: { data, error } }) => {
      if (!isPolled || !isReachable || data === undefined || !isActive(data.status)) return false;
      return error === null ? POLL_MS : POLL_AFTER_FAILURE_MS;
    },
  });
  const follows = scan.data !== undefined && isActive(scan.data.status);
  useEffect(() => {
    // While the server is away there is nothing to follow; when it is back, the events are requested again.
    if (!follows || !isReachable) return;
    setPolled(false);
    noteScans([{ id, status: 'running' }]);
    return followScan(
      id,
      (next) => {
        queryClient.setQueryData(scanKey(id), next);
        noteScans([next]);
      },
      () => {
        setPolled(true);
        // Shows whether the server is away.
        void queryClient.refetchQueries({ queryKey: scanKey(id) });
      },
    );
  }, [follows, id, queryClient, isReachable]);
  return { ...scan, isPolled };
}

/** The time in which the other tabs hear of the end of a scan. */
const HEARD_MS = 1_000;

/** @returns a function that stops following. */
function followScan(id: string, onScan: (scan: Scan) => void, onError: () => void): () => void {
  const name = `cspm-scan-${id}`;
  const controller = new AbortController();
  const { signal } = controller;
  const channel = new BroadcastChannel(name);
  let hasEnded = false;
  channel.onmessage = ({ data }: MessageEvent<Scan>) => {
    hasEnded = !isActive(data.status);
    onScan(data);
  };
  const stream = async () => {
    if (hasEnded) return;
    for await (const { data } of api.scans.events({ id }, { signal })) {
      channel.postMessage(data);
      onScan(data);
    }
    // Other tabs learn of the end before the next one gets the lock. It would open a connection for nothing otherwise.
    await new Promise((resolve) => setTimeout(resolve, HEARD_MS));
  };
  // Browsers offer locks over https and on localhost only. Elsewhere each tab has a connection of its own.
  const locks = navigator.locks as LockManager | undefined;
  const done = locks === undefined ? stream() : locks.request(name, { signal }, stream);
  done.catch(() => {
    if (!signal.aborted) onError();
  });
  return () => {
    controller.abort();
    channel.close();
  };
}
