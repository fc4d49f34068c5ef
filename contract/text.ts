import { z } from 'zod';

/**
 * A string of 1 to `max` characters (UTF-16 code units) that Postgres can store: no NUL, no lone surrogates. All free
 * text of the API uses this type, so invalid input is answered with 400 and never causes a database error.
 */
export function text(max: number) {
  return emptyOrText(max).min(1);
}

/** The same, but may be empty. */
export function emptyOrText(max: number) {
  return z
    .string()
    .max(max)
    .regex(/^[^\0\p{Cs}]*$/u, 'must be well-formed Unicode without the NUL character');
}

/**
 * The name of a person or a tenant, which mails and pages show to others. Control and format characters are refused,
 * because they can reverse or hide the text around the name. The two joiners (U+200C, U+200D) are allowed: some scripts
 * and emoji need them.
 */
export function displayName(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(
      /^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u,
      'must be well-formed Unicode without control and format characters',
    );
}

/**
 * A UUID of any version; the server creates version 7 (RFC 9562 §5.7). Handlers receive it in lower case, the canonical
 * form, so that they can compare it.
 */
export const id = z.uuid().toLowerCase().meta({ example: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36' });

/** RFC 3339 in UTC, with milliseconds. */
export const timestamp = z.iso.datetime().meta({ example: '2026-11-20T08:00:00.000Z' });

/**
 * A time in a request: RFC 3339 with any offset, because Python, Go and others write `+00:00` or a local offset. Handlers
 * receive it in UTC and within the years 1 to 9999, which Postgres can store.
 */
export const givenTime = z.iso
  .datetime({ offset: true })
  .overwrite(inUtc)
  .meta({ example: '2026-11-20T08:00:00.000Z' });

function inUtc(time: string): string {
  const date = new Date(time);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year)) return time;
  if (year < 1) return '0001-01-01T00:00:00.000Z';
  if (year > 9999) return '9999-12-31T23:59:59.999Z';
  return date.toISOString();
}

/** The name of a project. It identifies the project in URLs and cannot be changed. */
export const projectName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'must be 1 to 63 of a-z, 0-9, dot, underscore and hyphen, beginning with a letter or a digit',
  )
  .meta({ example: 'shop-prod' });

/**
 * Long enough for every token or password that the service issues or accepts; a longer one is refused unread. NUL is
 * refused before hashing: bcrypt repeats a key that ends with NUL, so `P` and `P\0P` would be the same password.
 */
export const secret = text(512);

/** Recognizes a sign-in that a page of the web application has started. */
export const signInState = z
  .string()
  .regex(/^[A-Za-z0-9_-]{16,64}$/, 'must be 16 to 64 letters, digits, hyphens and underscores')
  .optional()
  .describe(
    'A random value of the page that starts the sign-in. It returns as `state` in the URL of `/auth/callback`. A page that exchanges a code without its own value must ask the person first, because another site may have started the sign-in.',
  )
  .meta({ example: 'kX3v9Qm1Tz7Rb5Lw2Nc8Yd' });

export const email = z.email().max(254).meta({ example: 'ada@example.com' });
