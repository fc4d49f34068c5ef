/** That an operation is to go away: what the OpenAPI document, the SDK's doc comments and every answer of it say. */
export interface Deprecation {
  /** The day since which it should not be used any more: `YYYY-MM-DD`, in UTC. It may lie ahead. */
  readonly since: string;
  /** The day from which on it may be gone, never before `since`. Left out: not settled yet. */
  readonly sunset?: string;
  /** The operation to use in its place, such as `scans.launch`. */
  readonly successor?: string;
}

/**
 * The headers that announce it: `Deprecation` as a structured date (RFC 9745 §2.1), `Sunset` as an HTTP date (RFC 8594 §3).
 * @throws {Error} for a day that is none, and for a sunset before the deprecation (RFC 9745 §4).
 */
export function deprecationHeaders({ since, sunset }: Deprecation): {
  readonly Deprecation: string;
  readonly Sunset?: string;
} {
  const deprecatedAt = midnight(since);
  const headers = { Deprecation: `@${deprecatedAt.getTime() / 1000}` };
  if (sunset === undefined) return headers;
  const goneAt = midnight(sunset);
  if (goneAt < deprecatedAt) throw new Error(`The sunset ${sunset} is before ${since}`);
  return { ...headers, Sunset: goneAt.toUTCString() };
}

/** The beginning of a day in UTC. */
function midnight(day: string): Date {
  const date = new Date(`${day}T00:00:00.000Z`);
  // Date takes 30 February for a day in March.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) {
    throw new Error(`"${day}" is no day in the form YYYY-MM-DD`);
  }
  return date;
}
