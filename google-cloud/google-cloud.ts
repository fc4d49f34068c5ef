import { AssetApi, type Patience } from './asset-api.ts';
import { type CheckReport, checkCredential } from './check.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import type { GoogleCredential } from './credential.ts';
import type { GoogleEndpoints } from './endpoints.ts';
import { GoogleCloudError } from './google-cloud-error.ts';
import { ResponseTooLarge } from './http.ts';
import type { Pacer } from './pacer.ts';
import type { Page } from './page.ts';
import {
  afterPage,
  type ContentType,
  PERMISSIONS,
  type PulledPage,
  type PullState,
  startPull,
  without,
} from './pull-state.ts';
import { TokenSource } from './token-source.ts';

export interface GoogleCloudOptions {
  readonly credential: GoogleCredential;
  readonly endpoints: GoogleEndpoints;
  /** Share one among clients whose requests are charged to the same project. Default: one of its own. */
  readonly pacer?: Pacer;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** The most bytes of one page. Default: 16 MiB. A larger page is asked for again with fewer assets. */
  readonly maxPageBytes?: number;
  /** The time limit of one request. Default: 60 s. */
  readonly timeoutMs?: number;
}

export interface PullOptions {
  /** Where to begin: `startPull`, or the state of the last page that was stored. */
  readonly state: PullState;
  /** Stops the pull; the generator throws the reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The largest page that Google serves. */
const PAGE_SIZE = 1_000;

/** Somebody waits for the result of a check. */
const HASTY: Patience = { failures: 2, refusals: 1 };

/** Cloud Asset Inventory, with one credential. */
export class GoogleCloud {
  readonly #api: AssetApi;
  readonly #clock: Clock;

  constructor({
    credential,
    endpoints,
    pacer,
    clock,
    maxPageBytes,
    timeoutMs,
  }: GoogleCloudOptions) {
    this.#clock = clock ?? SYSTEM_CLOCK;
    const tokens = new TokenSource(credential, endpoints);
    this.#api = new AssetApi({ endpoints, tokens, pacer, clock, maxPageBytes, timeoutMs });
  }

  /**
   * Pulls resources, IAM policies and organization policies, all as of one moment. The pull is complete when the state
   * of the last page is; `state.missing` then says what Google refused to show. A page without records tells that a
   * content type is missing.
   * @throws {GoogleCloudError}; after `unavailable` and `quota_exceeded` the pull can be resumed
   */
  async *pull({ state, signal }: PullOptions): AsyncGenerator<PulledPage, void, undefined> {
    let current = state;
    let pageSize = PAGE_SIZE;
    while (current.next !== null) {
      const { contentType, pageToken } = current.next;
      let page: Page;
      try {
        const { parent, readTime } = current;
        const request = { parent, readTime, contentType, pageToken, pageSize };
        page = await this.#api.list(request, signal);
      } catch (error) {
        if (error instanceof ResponseTooLarge) {
          pageSize = smaller(pageSize);
          continue;
        }
        if (!isMissing(error, contentType, pageToken)) throw error;
        const permission = PERMISSIONS[contentType];
        current = without(current, { contentType, permission, remedy: error.remedy });
        yield { contentType, records: [], state: current };
        continue;
      }
      current = afterPage(current, {
        records: page.records.length,
        nextPageToken: page.nextPageToken,
      });
      yield { contentType, records: page.records, state: current };
      // A page that was too large does not make the rest slow.
      pageSize = Math.min(PAGE_SIZE, pageSize * 2);
    }
  }

  /** Tries the credential with the smallest pages. Never throws because of an answer of Google. */
  check(parent: string, signal?: AbortSignal): Promise<CheckReport> {
    const { readTime } = startPull(parent, this.#clock.now());
    return checkCredential((contentType) =>
      this.#api.list(
        { parent, contentType, readTime, pageToken: null, pageSize: 1 },
        signal,
        HASTY,
      ),
    );
  }
}

/**
 * Whether the pull continues without the content type. Nothing can be evaluated without resources, and a permission
 * that is withdrawn between two pages must not leave only a part of the policies.
 */
function isMissing(
  error: unknown,
  contentType: ContentType,
  pageToken: string | null,
): error is GoogleCloudError {
  return (
    error instanceof GoogleCloudError &&
    error.code === 'permission_denied' &&
    error.permission === PERMISSIONS[contentType] &&
    contentType !== 'RESOURCE' &&
    pageToken === null
  );
}

function smaller(pageSize: number): number {
  if (pageSize > 1) return Math.max(1, Math.floor(pageSize / 10));
  throw new GoogleCloudError(
    'invalid_response',
    'A single asset is larger than the limit of a page.',
    'Pull the projects of the parent one by one, without the project of this asset.',
  );
}
