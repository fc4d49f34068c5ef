import { check, gaps, pause } from './check.ts';
import type { Received, Reply } from './server.ts';
import type { Stage } from './stage.ts';

const TAG = 'x-member';

/**
 * Sends many reads, all at once or at intervals of real milliseconds. Each fails first and then succeeds. @returns the
 * requests of each.
 */
export async function everyFirst(
  stage: Stage,
  size: number,
  failure: Reply,
  apartMs = 0,
): Promise<readonly (readonly Received[])[]> {
  const before = stage.sent('read').length;
  const seen = new Set<unknown>();
  stage.chance(chances());
  stage.on('read', (request) => {
    const again = seen.has(memberOf(request));
    seen.add(memberOf(request));
    return again ? stage.route('read').answer : failure;
  });
  const client = stage.client();
  const call = async (member: number) => {
    if (apartMs > 0) await pause(member * apartMs);
    return client.call('read', { headers: { [TAG]: `${member}` } });
  };
  await Promise.allSettled(Array.from({ length: size }, (_, member) => call(member)));
  const sent = stage.sent('read').slice(before);
  return Array.from({ length: size }, (_, member) =>
    sent.filter((request) => memberOf(request) === `${member}`),
  );
}

/** Identifies a read. Clients that cannot add headers to one call put the name into the query. */
function memberOf({ headers, query }: Received): unknown {
  return headers[TAG] ?? query.get(TAG);
}

/** Milliseconds between the two requests of each read. */
export function pairs(crowd: readonly (readonly Received[])[]): number[] {
  return crowd.map((requests) => {
    const [gap] = gaps(requests);
    check(gap !== undefined && requests.length === 2, `${requests.length} requests of one call`);
    return gap;
  });
}

/** The shortest interval that contains half of the waits, so that a few late ones do not count as jitter. */
export function halfSpan(waits: readonly number[]): number {
  const sorted = waits.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return Math.min(...sorted.slice(half).map((wait, at) => wait - (sorted[at] ?? 0)));
}

/** Distinct numbers in [0, 1), the same in every run, by the golden ratio. */
function chances(): () => number {
  let at = 0;
  return () => {
    at = (at + 0.618_033_988_749_895) % 1;
    return at;
  };
}
