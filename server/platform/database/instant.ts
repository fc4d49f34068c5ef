import pg from 'pg';

const { TIMESTAMPTZ } = pg.types.builtins;
const parseAny = pg.types.getTypeParser(TIMESTAMPTZ);

/** A time of a session in UTC: `2026-11-24 14:10:03+00`, with up to six decimals of the second. */
const SHORTEST = 22;
const LONGEST = 29;
const UTC = '+00';
/** Where the decimals begin. */
const DECIMALS = 20;

/**
 * Lets node-postgres read a time of a session in UTC in a third of the time: its own parser uses regular expressions. Other
 * texts, such as times before Christ, are read as before.
 */
export function parseInstantsQuickly(): void {
  pg.types.setTypeParser(TIMESTAMPTZ, parseInstant);
}

/** Digits of a second after the third are cut off, because a Date has milliseconds. */
export function parseInstant(text: string): unknown {
  const end = text.length - UTC.length;
  // A year with five digits moves the space.
  const isUsual = text.length >= SHORTEST && text.length <= LONGEST && text[10] === ' ';
  if (!isUsual || !text.endsWith(UTC)) return parseAny(text);
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  // Date.UTC takes these for years since 1900.
  if (year < 100) return parseAny(text);
  let ms = 0;
  if (end > DECIMALS) ms += 100 * digit(text, DECIMALS);
  if (end > DECIMALS + 1) ms += 10 * digit(text, DECIMALS + 1);
  if (end > DECIMALS + 2) ms += digit(text, DECIMALS + 2);
  const [month, day] = [twoDigits(text, 5) - 1, twoDigits(text, 8)];
  const [hours, minutes, seconds] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  return new Date(Date.UTC(year, month, day, hours, minutes, seconds, ms));
}

function twoDigits(text: string, at: number): number {
  return 10 * digit(text, at) + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - 48;
}
