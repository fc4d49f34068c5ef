import { z } from 'zod';

/**
 * A string of 1 to `max` characters (UTF-16 code units) that Postgres can store: without NUL and lone surrogates.
 * Every free text on the wire is one of these, so that bad input ends as 400 and never as a database error.
 */
export function text(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\0\p{Cs}]*$/u, 'must be well-formed Unicode without the NUL character');
}

/** A NUL or a lone surrogate as JSON.stringify writes it: after an even number of backslashes. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Any JSON object whose texts Postgres can store, as `text` is. */
export const jsonObject = z
  .record(z.string(), z.json())
  .refine(
    (value) => !UNSTORABLE_ESCAPE.test(JSON.stringify(value)),
    'must be well-formed Unicode without the NUL character',
  );

/** A UUID of any version in its canonical form; ours are version 7 (RFC 9562 §5.7). */
export const id = z.uuid().meta({ example: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36' });

/** RFC 3339 in UTC, with milliseconds. */
export const timestamp = z.iso.datetime().meta({ example: '2026-11-20T08:00:00.000Z' });

/** The name of a project: also its address, so it never changes. */
export const projectName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'must be 1 to 63 of a-z, 0-9, dot, underscore and hyphen, beginning with a letter or a digit',
  )
  .meta({ example: 'shop-prod' });

/** Long enough for any token or password that we could have issued or accepted; longer is refused unread. */
export const secret = z.string().min(1).max(512);

export const email = z.email().max(254).meta({ example: 'ada@example.com' });
