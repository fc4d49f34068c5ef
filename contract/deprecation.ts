/**
 * Marks an operation as deprecated. The OpenAPI document, the SDK's doc comments and the headers of every response show
 * it.
 */
export interface Deprecation {
  /** The date from which the operation is deprecated: `YYYY-MM-DD` in UTC. It may be in the future. */
  readonly since: string;
  /** The date from which the operation may be removed, never before `since`. Omitted while undecided. */
  readonly sunset?: string;
  /** The replacement operation, such as `scans.launch`. */
  readonly successor?: string;
}

/**
 * The headers that announce a deprecation: `Deprecation` as a structured date (RFC 9745 §2.1), `Sunset` as an HTTP date
 * (RFC 8594 §3).
 * @throws {Error} for an invalid date, and for a sunset before the deprecation (RFC 9745 §4).
 */
export function deprecationHeaders({ since, sunset }: Deprecation): {
  readonly Deprecation: string;
  readonly Sunset?: string;
} {
  const deprecatedAt = midnight(since);
  const headers = { Deprecation: `@${deprecatedAt.getTime() / 1000}` };
  if (sunset === undefined) return headers;
  const goneAt = midnight(sunset);
  if (goneAt < deprecatedAt)
    throw new Error(`The sunset date ${sunset} is before the deprecation date ${since}`);
  return { ...headers, Sunset: goneAt.toUTCString() };
}

/** Midnight UTC of a date. */
function midnight(day: string): Date {
  const date = new Date(`${day}T00:00:00.000Z`);
  // Date accepts 30 February and moves it to March.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) {
    throw new Error(`"${day}" is not a valid date in the form YYYY-MM-DD`);
  }
  return date;
}
