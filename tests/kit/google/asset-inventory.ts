import { createHmac, randomBytes } from 'node:crypto';
import { type Answer, badRequest, errorInfo, googleError, unauthenticated } from './answer.ts';
import { apiFormOf, type ServedContent, withContent } from './api-form.ts';
import { projectIn, type Session } from './identities.ts';

const SERVICE = 'cloudasset.googleapis.com';
const PERMISSION_OF: Readonly<Record<ServedContent, string>> = {
  RESOURCE: 'cloudasset.assets.listResource',
  IAM_POLICY: 'cloudasset.assets.listIamPolicy',
  ORG_POLICY: 'cloudasset.assets.listOrgPolicy',
};
export const VIEWER = Object.values(PERMISSION_OF);

const DAY_MS = 24 * 60 * 60_000;
const OLDEST_READ_MS = 35 * DAY_MS;
const MINUTE_MS = 60_000;
const [DEFAULT_PAGE, LARGEST_PAGE] = [100, 1_000];

export interface ListCall {
  readonly parent: string;
  readonly query: URLSearchParams;
  readonly session: Session | null;
  /** The header `x-goog-user-project`. */
  readonly userProject: string | undefined;
}

/** The Cloud Asset API of the fake: `GET /v1/<parent>/assets`. */
export class AssetInventory {
  /** `ListAssets` calls a minute and consumer project. */
  quotaPerMinute = 100;
  /** The most assets of a page. Google may return fewer than requested. */
  largestPage = LARGEST_PAGE;
  /** How long page tokens live. */
  pageTokenMs = DAY_MS;
  readonly #now: () => number;
  readonly #secret = randomBytes(16);
  /** Per parent and content type: the assets, in JSON. */
  readonly #assets = new Map<string, Readonly<Record<ServedContent, readonly string[]>>>();
  readonly #grants = new Map<string, Set<string>>();
  readonly #disabled = new Set<string>();
  readonly #calls = new Map<string, number[]>();
  #endedTokensAt = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param lines records as `gcloud asset export` writes them; empty lines and comments are skipped */
  serve(parent: string, lines: Iterable<string>): void {
    const assets: Record<ServedContent, string[]> = {
      RESOURCE: [],
      IAM_POLICY: [],
      ORG_POLICY: [],
    };
    for (const line of lines) {
      if (line.trim() === '' || line.startsWith('#')) continue;
      const asset = apiFormOf(line);
      for (const content of Object.keys(assets) as ServedContent[]) {
        const served = withContent(asset, content);
        if (served !== null) assets[content].push(JSON.stringify(served));
      }
    }
    this.#assets.set(parent, assets);
  }

  /** The permissions that the principal has on the parent from now on. */
  grant(principal: string, parent: string, permissions: readonly string[]): void {
    this.#grants.set(`${principal} ${parent}`, new Set(permissions));
  }

  disableApi(project: string): void {
    this.#disabled.add(project);
  }

  /** Page tokens given out before now are refused from now on. */
  endPageTokens(): void {
    this.#endedTokensAt = this.#now();
  }

  list(call: ListCall): Answer {
    const { session, parent, query } = call;
    if (session === null) return unauthenticated;
    const consumer = call.userProject ?? (session.isUser ? null : projectIn(session.principal));
    const refused =
      this.#refusedConsumer(session, consumer, call.userProject) ??
      this.#refusedByQuota(consumer ?? '');
    if (refused !== null) return refused;
    const content = contentIn(query);
    const size = Number(query.get('pageSize') ?? DEFAULT_PAGE);
    if (content === null) return invalidArgument('content_type', 'Unknown content type.');
    if (!(size >= 0 && size <= LARGEST_PAGE)) return invalidArgument('page_size', 'Out of range.');
    const readTime = this.#readTimeIn(query);
    if (readTime === null) return invalidArgument('read_time', 'Out of range.');
    const permission = PERMISSION_OF[content];
    if (this.#grants.get(`${session.principal} ${parent}`)?.has(permission) !== true) {
      return denied(permission, parent);
    }
    const assets = this.#assets.get(parent)?.[content];
    if (assets === undefined) {
      return googleError(404, 'NOT_FOUND', `Resource '${parent}' was not found`);
    }
    const key = [parent, content, readTime].join(' ');
    const from = this.#positionIn(query.get('pageToken'), key);
    if (from === null)
      return invalidArgument('page_token', 'The page token is invalid or expired.');
    const end = from + Math.min(this.largestPage, size === 0 ? DEFAULT_PAGE : size);
    const next = end < assets.length ? this.#tokenAt(end, key) : null;
    return page(assets.slice(from, end), readTime, next, query.get('prettyPrint') !== 'false');
  }

  #refusedConsumer(
    session: Session,
    consumer: string | null,
    userProject: string | undefined,
  ): Answer | null {
    if (consumer === null) {
      return googleError(
        403,
        'PERMISSION_DENIED',
        `Your application is authenticating by using local Application Default Credentials. The ${SERVICE} API requires a quota project, which is not set by default.`,
        [errorInfo('SERVICE_DISABLED', { service: SERVICE, consumer: 'projects/764086051850' })],
      );
    }
    const use = 'serviceusage.services.use';
    if (
      userProject !== undefined &&
      this.#grants.get(`${session.principal} projects/${userProject}`)?.has(use) !== true
    ) {
      return googleError(
        403,
        'PERMISSION_DENIED',
        `Caller does not have required permission to use project ${userProject}. Grant the caller the roles/serviceusage.serviceUsageConsumer role.`,
        [
          errorInfo('USER_PROJECT_DENIED', {
            service: SERVICE,
            consumer: `projects/${userProject}`,
          }),
        ],
      );
    }
    if (!this.#disabled.has(consumer)) return null;
    return googleError(
      403,
      'PERMISSION_DENIED',
      `Cloud Asset API has not been used in project ${consumer} before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/${SERVICE}/overview?project=${consumer} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.`,
      [errorInfo('SERVICE_DISABLED', { service: SERVICE, consumer: `projects/${consumer}` })],
    );
  }

  #refusedByQuota(consumer: string): Answer | null {
    const now = this.#now();
    const recent = (this.#calls.get(consumer) ?? []).filter((time) => time > now - MINUTE_MS);
    this.#calls.set(consumer, recent);
    if (recent.length < this.quotaPerMinute) {
      recent.push(now);
      return null;
    }
    const seconds = Math.ceil(((recent[0] ?? now) + MINUTE_MS - now) / 1000);
    const refused = googleError(
      429,
      'RESOURCE_EXHAUSTED',
      `Quota exceeded for quota metric 'ListAssets Requests' and limit 'ListAssets Requests per minute' of service '${SERVICE}' for consumer 'project_number:482915036174'.`,
      [
        errorInfo('RATE_LIMIT_EXCEEDED', {
          service: SERVICE,
          consumer: `projects/${consumer}`,
          quota_limit_value: String(this.quotaPerMinute),
        }),
      ],
    );
    return { ...refused, headers: { 'retry-after': String(seconds) } };
  }

  /** The given read time, if Google would accept it. */
  #readTimeIn(query: URLSearchParams): string | null {
    const now = this.#now();
    const text = query.get('readTime') ?? new Date(now).toISOString();
    const time = Date.parse(text);
    return time <= now && time >= now - OLDEST_READ_MS ? text : null;
  }

  #tokenAt(position: number, key: string): string {
    const content = Buffer.from(JSON.stringify({ position, at: this.#now() })).toString(
      'base64url',
    );
    return `${content}.${this.#signature(content, key)}`;
  }

  /** The position of a token that was given out for the same arguments; 0 without a token, null for an invalid one. */
  #positionIn(token: string | null, key: string): number | null {
    if (token === null) return 0;
    const [content = '', signature] = token.split('.');
    if (signature !== this.#signature(content, key)) return null;
    const { position, at } = JSON.parse(Buffer.from(content, 'base64url').toString('utf8'));
    const hasEnded = at <= this.#endedTokensAt || at + this.pageTokenMs < this.#now();
    return hasEnded ? null : position;
  }

  #signature(content: string, key: string): string {
    return createHmac('sha256', this.#secret).update(`${content} ${key}`).digest('base64url');
  }
}

function contentIn(query: URLSearchParams): ServedContent | null {
  const content = query.get('contentType');
  return content !== null && content in PERMISSION_OF ? (content as ServedContent) : null;
}

function invalidArgument(field: string, description: string): Answer {
  return googleError(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', [
    badRequest(field, description),
  ]);
}

function denied(permission: string, parent: string): Answer {
  return googleError(403, 'PERMISSION_DENIED', 'Request denied by Cloud IAM.', [
    errorInfo('IAM_PERMISSION_DENIED', {
      permission,
      resource: `//cloudresourcemanager.googleapis.com/${parent}`,
    }),
  ]);
}

/** The assets are JSON already; large pages are not parsed again. */
function page(
  assets: readonly string[],
  readTime: string,
  nextPageToken: string | null,
  isPretty: boolean,
): Answer {
  const rest = nextPageToken === null ? '' : `,"nextPageToken":${JSON.stringify(nextPageToken)}`;
  const list = assets.length === 0 ? '' : `,"assets":[${assets.join(',')}]`;
  const body = `{"readTime":${JSON.stringify(readTime)}${list}${rest}}`;
  return { status: 200, body: isPretty ? JSON.stringify(JSON.parse(body), null, 2) : body };
}
