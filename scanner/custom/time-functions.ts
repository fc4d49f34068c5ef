import { type CelFunc, type CelValue, celEnv, celError } from '@bufbuild/cel';

/*
 * The parts of a timestamp as CEL defines them. The library computes them in the time zone of the process: its results
 * depend on daylight saving time there. It also takes the years 1 to 99 for 1901 to 1999, and rounds up to the next
 * second.
 */

const STANDARD = celEnv();

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;

/** The parts of a date whose UTC fields are those of the wanted time zone. */
const PARTS: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => Math.floor((date.getTime() - startOfYear(date)) / MS_PER_DAY),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

export function timeFunctions(): CelFunc[] {
  return Object.entries(PARTS).flatMap(([name, part]) =>
    [...(STANDARD.funcs.find(name) ?? [])]
      .filter(({ target }) => target?.name === 'google.protobuf.Timestamp')
      .map((one) => {
        const call: CelFunc['call'] = (id, target, args) => {
          const time = millisecondsOf(target);
          const [zone] = args;
          if (time === null || args.length !== one.arguments.length) return undefined;
          if (zone !== undefined && typeof zone !== 'string') return undefined;
          try {
            return BigInt(part(zone === undefined ? new Date(time) : inZone(time, zone)));
          } catch (error) {
            return celError(error, id);
          }
        };
        return Object.create(one, { call: { value: call } });
      }),
  );
}

interface Timestamp {
  readonly desc: { readonly typeName: string };
  readonly message: { readonly seconds: bigint; readonly nanos: number };
}

function isTimestamp(value: unknown): value is Timestamp {
  const { typeName } = (value as Partial<Timestamp> | undefined)?.desc ?? {};
  return typeName === 'google.protobuf.Timestamp';
}

/** Milliseconds since 1970, rounded down; null for a value that is not a timestamp. */
function millisecondsOf(value: CelValue | undefined): number | null {
  if (!isTimestamp(value)) return null;
  const { seconds, nanos } = value.message;
  return Number(seconds) * 1000 + Math.floor(nanos / 1_000_000);
}

function startOfYear(date: Date): number {
  return utc(date.getUTCFullYear(), 0, 1).getTime();
}

/** `Date.UTC` takes the years 0 to 99 for 1900 to 1999. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}

const OFFSET = /^(?<sign>[+-]?)(?<hours>\d\d):(?<minutes>\d\d)$/;

/** @throws RangeError for an unknown time zone */
function inZone(time: number, zone: string): Date {
  const { sign, hours, minutes } = OFFSET.exec(zone)?.groups ?? {};
  if (hours !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * MS_PER_MINUTE;
    return new Date(time + (sign === '-' ? -offset : offset));
  }
  const parts = new Map<string, string>();
  for (const { type, value } of formatFor(zone).formatToParts(time)) parts.set(type, value);
  const at = (name: string) => Number(parts.get(name));
  const date = utc(at('year'), at('month') - 1, at('day'));
  const milliseconds = ((time % 1000) + 1000) % 1000;
  date.setUTCHours(at('hour'), at('minute'), at('second'), milliseconds);
  return date;
}

const ZONES_MAX = 20;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format is expensive, and a predicate names the same zone for every asset. */
function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const numeric = 'numeric';
  const format = new Intl.DateTimeFormat('en-US', {
    hourCycle: 'h23',
    timeZone,
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  const [oldest] = formats.keys();
  if (formats.size >= ZONES_MAX && oldest !== undefined) formats.delete(oldest);
  formats.set(timeZone, format);
  return format;
}
