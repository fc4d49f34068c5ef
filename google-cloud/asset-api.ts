import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import type { GoogleEndpoints } from './endpoints.ts';
import { type GoogleAnswer, googleAnswer } from './google-answer.ts';
import { GoogleCloudError } from './google-cloud-error.ts';
import { type HttpResponse, NoResponse, send } from './http.ts';
import { Pacer } from './pacer.ts';
import { type Page, splitPage } from './page.ts';
import { type ListRequest, refusedList } from './refused-list.ts';
import type { TokenSource } from './token-source.ts';

export interface AssetApiOptions {
  readonly endpoints: GoogleEndpoints;
  readonly tokens: TokenSource;
  readonly pacer?: Pacer | undefined;
  readonly clock?: Clock | undefined;
  /** The bytes of one page, decompressed. */
  readonly maxPageBytes?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

const MAX_PAGE_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** How often a request is sent before its failure is reported. */
export interface Patience {
  /** Without an answer, or with 408 or 5xx. */
  readonly failures: number;
  /** Refused by quota. */
  readonly refusals: number;
}

/** The waits after failures take about a minute together. Google's quotas refill every minute. */
const PATIENT: Patience = { failures: 7, refusals: 10 };

const BACKOFF_MS = { first: 1_000, longest: 30_000 };
const QUOTA_BACKOFF_MS = { first: 5_000, longest: 60_000 };
/** The client does not wait longer than this for a quota. */
const QUOTA_WAIT_MAX_SECONDS = 600;
/** A later `Retry-After` counts as this: the longest period of Google's quotas is a day. */
const RETRY_AFTER_MAX_SECONDS = 86_400;

/** `ListAssets`, with pacing and retries. */
export class AssetApi {
  readonly #options: AssetApiOptions;
  readonly #clock: Clock;
  readonly #pacer: Pacer;

  constructor(options: AssetApiOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#pacer = options.pacer ?? new Pacer(undefined, this.#clock);
  }

  /**
   * @param signal aborts the request and all waiting
   * @param patience default: that of a pull, which nobody watches
   * @throws {GoogleCloudError} | {ResponseTooLarge} for a page over the limit | the reason of the signal
   */
  async list(request: ListRequest, signal?: AbortSignal, patience = PATIENT): Promise<Page> {
    let [failures, refusals] = [0, 0];
    let isRenewed = false;
    for (;;) {
      await this.#pacer.take(signal);
      const response = await this.#send(request, signal);
      if (response instanceof NoResponse || isTransient(response.status)) {
        failures += 1;
        if (failures >= patience.failures) throw unavailable(response, failures);
        await this.#clock.sleep(backoff(BACKOFF_MS, failures), signal);
        continue;
      }
      if (response.status === 200) return splitPage(response.body);
      const answer = googleAnswer(response.status, response.body);
      if (response.status === 401 && !isRenewed) {
        isRenewed = true;
        this.#options.tokens.renew();
        continue;
      }
      if (!isQuota(answer)) throw refusedList(answer, request);
      refusals += 1;
      const seconds = retryAfter(response.headers, this.#clock.now()) ?? answer.retryDelaySeconds;
      if (refusals >= patience.refusals || (seconds ?? 0) > QUOTA_WAIT_MAX_SECONDS) {
        throw quotaExceeded(seconds);
      }
      const waitMs = seconds === null ? backoff(QUOTA_BACKOFF_MS, refusals) : seconds * 1000;
      await this.#clock.sleep(waitMs, signal);
    }
  }

  /** @returns `NoResponse` instead of throwing it, as it is handled like 5xx */
  async #send(
    request: ListRequest,
    signal: AbortSignal | undefined,
  ): Promise<HttpResponse | NoResponse> {
    const {
      endpoints,
      tokens,
      maxPageBytes = MAX_PAGE_BYTES,
      timeoutMs = TIMEOUT_MS,
    } = this.#options;
    try {
      const headers = new Headers(await tokens.headers(request.parent, signal));
      headers.set('accept', 'application/json');
      headers.set('user-agent', 'cspm');
      return await send(`${endpoints.assetUrl}/v1/${request.parent}/assets?${queryOf(request)}`, {
        method: 'GET',
        headers,
        signal,
        timeoutMs,
        maxBytes: maxPageBytes,
      });
    } catch (error) {
      if (error instanceof NoResponse) return error;
      throw error;
    }
  }
}

function queryOf(request: ListRequest): URLSearchParams {
  const { contentType, readTime, pageSize, pageToken } = request;
  return new URLSearchParams({
    contentType,
    readTime,
    pageSize: String(pageSize),
    // The default is indented and a third longer.
    prettyPrint: 'false',
    ...(pageToken !== null && { pageToken }),
  });
}

/** 408 says that the server has not read the request, which may be sent again (RFC 9110 §15.5.9). */
function isTransient(status: number): boolean {
  return status >= 500 || status === 408;
}

function isQuota({ http, status, reason }: GoogleAnswer): boolean {
  return http === 429 || status === 'RESOURCE_EXHAUSTED' || reason === 'RATE_LIMIT_EXCEEDED';
}

/** Doubles from the first wait up to the longest; a random part of it, so that clients do not return together. */
function backoff(wait: { readonly first: number; readonly longest: number }, attempt: number) {
  const most = Math.min(wait.longest, wait.first * 2 ** (attempt - 1));
  return most / 2 + (Math.random() * most) / 2;
}

/** `Retry-After` is a number of seconds or a date. */
function retryAfter(headers: Headers, now: Date): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), RETRY_AFTER_MAX_SECONDS);
}

function unavailable(response: HttpResponse | NoResponse, attempts: number): GoogleCloudError {
  const why = response instanceof NoResponse ? response.message : `HTTP ${response.status}`;
  return new GoogleCloudError(
    'unavailable',
    `Google did not answer after ${attempts} attempts: ${why}.`,
    'Check the connection and https://status.cloud.google.com, and try again.',
  );
}

function quotaExceeded(seconds: number | null): GoogleCloudError {
  return new GoogleCloudError(
    'quota_exceeded',
    'The quota of the Cloud Asset API is exhausted.',
    'Try again later, or ask Google for a larger quota of "ListAssets requests per minute" in the project that is charged.',
    { retryAfterSeconds: seconds },
  );
}
