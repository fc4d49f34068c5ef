import { type JsonObject, text } from '../json.ts';
import { UnknownValue } from '../terraform/unknown-value.ts';

/*
 * Fields: logging v2, discovery revision 20260911.
 */

/** The name of the Cloud Storage bucket that a sink writes to, `b` in `storage.googleapis.com/b`. */
export function destinationBucketOf(sink: JsonObject): string | null {
  const destination = text(sink, 'destination') ?? '';
  return /^(?:https?:)?(?:\/\/)?storage\.googleapis\.com\/([^/]+)/.exec(destination)?.[1] ?? null;
}

/** The same; null also for a planned sink whose destination is not known yet. */
export function knownDestinationBucketOf(sink: JsonObject | null): string | null {
  try {
    return sink === null ? null : destinationBucketOf(sink);
  } catch (error) {
    if (error instanceof UnknownValue) return null;
    throw error;
  }
}
