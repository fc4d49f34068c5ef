import type { JsonObject, JsonValue } from '../json.ts';

/**
 * Whether `value` is the enumeration value `name`. Cloud Asset Inventory writes ZONE_SIGNING, RSASHA1 and PUBLIC where
 * the services' own APIs write zoneSigning, rsasha1 and public, so letter case and underscores are ignored.
 */
export function isEnum(value: JsonValue | undefined, name: string): boolean {
  return typeof value === 'string' && (value === name || areAlike(value, name));
}

/**
 * The value of `member` in capitals and without underscores, for a comparison with several; null if it is not a string.
 */
export function enumAt(parent: JsonObject | null, member: string): string | null {
  const value = parent?.[member];
  return typeof value === 'string' && value !== '' ? plain(value) : null;
}

function plain(value: string): string {
  return value.replaceAll('_', '').toUpperCase();
}

const UNDERSCORE = 0x5f;

/**
 * Equivalent to `plain(a) === plain(b)` for letters and digits, but without allocating strings, because rules call it
 * very often.
 */
function areAlike(a: string, b: string): boolean {
  let i = 0;
  let j = 0;
  for (;;) {
    while (a.charCodeAt(i) === UNDERSCORE) i += 1;
    while (b.charCodeAt(j) === UNDERSCORE) j += 1;
    if (i === a.length || j === b.length) return i === a.length && j === b.length;
    if (capital(a.charCodeAt(i)) !== capital(b.charCodeAt(j))) return false;
    i += 1;
    j += 1;
  }
}

function capital(code: number): number {
  return code >= 0x61 && code <= 0x7a ? code - 0x20 : code;
}
