import type { FakeGoogle } from '../../tests/kit/google/fake-google.ts';
import {
  type Clock,
  GoogleCloud,
  type GoogleCloudOptions,
  googleEndpoints,
  type PulledPage,
  parseServiceAccountKey,
  startPull,
} from '../index.ts';

/** A clock whose waits end at once and are counted. */
export class SkippingClock implements Clock {
  readonly waits: number[] = [];
  #time = Date.now();

  now(): Date {
    return new Date(this.#time);
  }

  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.waits.push(ms);
    this.#time += ms;
  }

  advance(ms: number): void {
    this.#time += ms;
  }
}

/** A client with the key of a service account of the fake. */
export function clientOf(
  google: FakeGoogle,
  key: unknown,
  options: Partial<GoogleCloudOptions> = {},
): GoogleCloud {
  return new GoogleCloud({
    credential: { type: 'service_account_key', key: parseServiceAccountKey(key) },
    endpoints: googleEndpoints(google.settings),
    ...options,
  });
}

/** All pages of a pull. */
export async function pagesOf(
  client: GoogleCloud,
  parent: string,
  clock: Clock = { now: () => new Date(), sleep: async () => undefined },
): Promise<PulledPage[]> {
  const pages: PulledPage[] = [];
  for await (const page of client.pull({ state: startPull(parent, clock.now()) })) pages.push(page);
  return pages;
}

export function recordsOf(pages: readonly PulledPage[]): string[] {
  return pages.flatMap(({ records }) => [...records]);
}

/** The given number of records of an export, each with a resource and a policy. */
export function* manyRecords(count: number): Generator<string> {
  for (let at = 0; at < count; at += 1) {
    yield JSON.stringify({
      name: `//storage.googleapis.com/bucket-${at}`,
      asset_type: 'storage.googleapis.com/Bucket',
      ancestors: ['projects/1'],
      resource: { data: { id: `bucket-${at}`, location: 'EU' } },
      iam_policy: { bindings: [] },
    });
  }
}
