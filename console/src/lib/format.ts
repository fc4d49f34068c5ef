const number = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const utcDay = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** `10,239`. */
export const count = (value: number): string => number.format(value);
/** `10.2K`. */
export const shortCount = (value: number): string => compact.format(value);
/** `1 finding`, `2 findings`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
/** `20 Nov 2026`, in the time zone of the reader. */
export const date = (iso: string): string => day.format(new Date(iso));
/** `20 Nov 2026`, for a day of the API such as `2026-11-20`, which is the same day in every time zone. */
export const calendarDay = (iso: string): string => utcDay.format(new Date(iso));
/** Date and time with the zone of the reader. */
export const dateTime = (iso: string): string => exact.format(new Date(iso));

const UNITS = [
  ['y', 365 * 86_400],
  ['mo', 30 * 86_400],
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const;

/** The time between two moments in one unit: `5 min`, `3 d`. Below a minute: `now`. */
export function age(iso: string, now: number): string {
  const seconds = Math.abs(now - Date.parse(iso)) / 1000;
  for (const [unit, size] of UNITS) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
  }
  return 'now';
}

/** `5 min ago`, `in 3 d`, `just now`. */
export function relative(iso: string, now: number): string {
  const span = age(iso, now);
  if (span === 'now') return 'just now';
  return Date.parse(iso) > now ? `in ${span}` : `${span} ago`;
}

/** Characters without a glyph: controls, directions of text, joiners, separators of lines. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * `gpj.\u202Eexe` → `gpj.[U+202E]exe`. A text from an inventory could otherwise show its letters in another order, or
 * look like another text.
 */
export const visible = (text: string): string =>
  text.replaceAll(UNSEEN, (one) => {
    const code = one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `[U+${code}]`;
  });

/** `//storage.googleapis.com/shop-uploads` → `shop-uploads`, to be shown. Put it into a `bdi` where other text follows. */
export const shortName = (name: string): string => visible(name.split('/').at(-1) || name);

/** `storage.googleapis.com/Bucket` → `Bucket`; words are separated. */
export const kindOf = (type: string): string =>
  (type.split('/').at(-1) ?? type).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** `cis-gcp-4.0` → `CIS GCP 4.0`. */
export const frameworkName = (id: string): string =>
  id.replace(/^[a-z]+(-[a-z]+)*/, (words) => words.toUpperCase()).replaceAll('-', ' ');

/** Bytes in one unit: `26.4 MB`. */
export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let value = size;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
