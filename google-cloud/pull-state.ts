import { GoogleCloudError } from './google-cloud-error.ts';

/** The content types that are pulled, in this order. */
export const CONTENT_TYPES = ['RESOURCE', 'IAM_POLICY', 'ORG_POLICY'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** The permission that each content type needs. `roles/cloudasset.viewer` contains all of them. */
export const PERMISSIONS = {
  RESOURCE: 'cloudasset.assets.listResource',
  IAM_POLICY: 'cloudasset.assets.listIamPolicy',
  ORG_POLICY: 'cloudasset.assets.listOrgPolicy',
} as const satisfies Record<ContentType, string>;

/** A content type that Google refused. The inventory has none of it. */
export interface MissingPermission {
  readonly contentType: ContentType;
  readonly permission: string;
  readonly remedy: string;
}

/** Everything that a pull needs to continue, as plain JSON. */
export interface PullState {
  readonly parent: string;
  /** The snapshot time of all pages, RFC 3339. */
  readonly readTime: string;
  /** The page that comes next; null when the pull is complete. */
  readonly next: { readonly contentType: ContentType; readonly pageToken: string | null } | null;
  readonly pages: number;
  /** Records, of all content types together. */
  readonly records: number;
  /** Not empty: the pull is partial. */
  readonly missing: readonly MissingPermission[];
}

export interface PulledPage {
  readonly contentType: ContentType;
  /** Each is the JSON of one asset on one line: a line of an NDJSON export. */
  readonly records: readonly string[];
  /** The state after this page. Store it together with the records to resume without a gap or a repetition. */
  readonly state: PullState;
}

/** Google refuses a time in the future, and clocks differ. */
const READ_TIME_MARGIN_MS = 60_000;

/** The state of a pull that has not begun. @param parent as `parseParent` accepts it */
export function startPull(parent: string, now: Date): PullState {
  return {
    parent,
    readTime: new Date(now.getTime() - READ_TIME_MARGIN_MS).toISOString(),
    next: { contentType: CONTENT_TYPES[0], pageToken: null },
    pages: 0,
    records: 0,
    missing: [],
  };
}

export function isComplete(state: PullState): boolean {
  return state.next === null;
}

/** A bound on what a faulty service can make the client do: at 1,000 assets a page far above any organization. */
const PAGES_MAX = 100_000;

/**
 * @throws {GoogleCloudError} `invalid_response` when there are more pages than a pull may read, or no resources: an empty
 * inventory would replace the one before
 */
export function afterPage(
  state: PullState,
  page: { readonly records: number; readonly nextPageToken: string | null },
): PullState {
  const { next } = state;
  if (next === null) return state;
  const { nextPageToken } = page;
  if ((nextPageToken !== null && nextPageToken === next.pageToken) || state.pages >= PAGES_MAX) {
    throw new GoogleCloudError(
      'invalid_response',
      'The Cloud Asset API returned more pages than a pull may read.',
      'Start the pull again. If it happens again, check GOOGLE_ASSET_URL.',
    );
  }
  const records = state.records + page.records;
  if (next.contentType === 'RESOURCE' && nextPageToken === null && records === 0) {
    throw new GoogleCloudError(
      'invalid_response',
      `The Cloud Asset API returned no resource of ${state.parent}, not even itself.`,
      'If the API was enabled a short time ago, start another pull later.',
    );
  }
  return {
    ...state,
    next:
      nextPageToken === null
        ? firstOf(next.contentType)
        : { contentType: next.contentType, pageToken: nextPageToken },
    pages: state.pages + 1,
    records,
  };
}

export function without(state: PullState, missing: MissingPermission): PullState {
  return {
    ...state,
    next: firstOf(missing.contentType),
    missing: [...state.missing, missing],
  };
}

/** The first page of the content type after this one. */
function firstOf(before: ContentType): PullState['next'] {
  const contentType = CONTENT_TYPES[CONTENT_TYPES.indexOf(before) + 1];
  return contentType === undefined ? null : { contentType, pageToken: null };
}
