import type { MuteSelector } from '@cspm/sdk';

const DAY_MS = 86_400_000;

/** The last day that ends in a year of four digits in every time zone, which the API requires. */
export const LAST_DAY = '9999-12-30';

/** A number of days, the default of the tenant, or a date. */
export type Lifetime = 'tenant' | '30' | '90' | '180' | '365' | 'date';

export const NO_CONDITION = 'Name a rule, an asset, a project or a label.';

const CONDITIONS = ['ruleId', 'asset', 'project', 'label'] as const;

/** The conditions that are filled in; null: there are none. */
export function selectorOf(
  values: Readonly<Record<(typeof CONDITIONS)[number], string>>,
): MuteSelector | null {
  const given = CONDITIONS.flatMap((name) => {
    const value = values[name].trim();
    return value === '' ? [] : [[name, value] as const];
  });
  return given.length === 0 ? null : Object.fromEntries(given);
}

/**
 * The end of a mute. Undefined: the server sets it. A date ends with its last second in the reader's time zone.
 * @param now in milliseconds since 1970.
 */
export function expiryOf(lifetime: Lifetime, date: string, now: number): string | undefined {
  if (lifetime === 'tenant') return undefined;
  if (lifetime === 'date') return new Date(`${date}T23:59:59`).toISOString();
  return new Date(now + Number(lifetime) * DAY_MS).toISOString();
}

/** The day after today in the reader's time zone: `2026-11-27`. */
export function tomorrow(): string {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  const parts = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** The fingerprint in a text: 64 lower-case hex digits. */
export function fingerprintIn(text: string): string | null {
  return /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/.exec(text)?.[0] ?? null;
}

/** The id of a finding in a text, which may be an address of the console. */
export function findingIdIn(text: string): string | null {
  return /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0] ?? null;
}
