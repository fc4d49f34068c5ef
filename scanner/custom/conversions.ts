import { type CelFunc, celEnv, celError } from '@bufbuild/cel';
import { refusedArgument } from './refused-argument.ts';

const STANDARD = celEnv();

const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const NOT_FINITE = /^(?:[+-]?inf(?:inity)?|nan)$/i;

/** No integer has more digits, leading zeros apart. */
const INTEGER = /^[+-]?\d{1,100}$/;
const UNSIGNED = /^\d{1,100}$/;

/**
 * Which texts CEL's conversions accept. The library accepts more: `int("")`, `double("")` and `duration("")` are 0, `double("x")` is not a number,
 * with which every comparison is false, and `timestamp("2026-02-30T00:00:00Z")` is the 2nd of March.
 */
const ACCEPTED: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['int(string)', (text) => INTEGER.test(text)],
  ['uint(string)', (text) => UNSIGNED.test(text)],
  ['double(string)', (text) => FLOAT.test(text) && Number.isFinite(Number(text))],
  ['duration(string)', (text) => /\d/.test(text)],
  ['timestamp(string)', isTime],
]);

/** Those of the years 1 to 9999, in seconds since 1970. */
const [SECONDS_MIN, SECONDS_MAX] = [-62_135_596_800n, 253_402_300_799n];

/**
 * The conversions of text and of integers as CEL defines them.
 * @param functions those among which conversions to integers are, with located errors
 */
export function strictConversions(functions: readonly CelFunc[]): CelFunc[] {
  const others = ['double', 'duration', 'string', 'timestamp'].flatMap((name) => [
    ...(STANDARD.funcs.find(name) ?? []),
  ]);
  return [...functions, ...others].map((one) => {
    if (one.id === 'timestamp(int)') return ofSeconds(one);
    if (one.id === 'string(google.protobuf.Duration)') return withoutZeros(one);
    const accepts = ACCEPTED.get(one.id);
    return accepts === undefined ? one : ofText(one, accepts);
  });
}

function ofText(one: CelFunc, accepts: (text: string) => boolean): CelFunc {
  const call: CelFunc['call'] = (id, target, args) => {
    const [text] = args;
    if (typeof text !== 'string' || accepts(text)) return one.call(id, target, args);
    if (one.name === 'double' && NOT_FINITE.test(text)) return notFinite(text);
    return celError(new TypeError('cannot be converted'), id);
  };
  return Object.create(one, { call: { value: call } });
}

function notFinite(text: string): number {
  if (/nan/i.test(text)) return Number.NaN;
  return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** The library takes milliseconds. */
function ofSeconds(one: CelFunc): CelFunc {
  const call: CelFunc['call'] = (id, target, args) => {
    const [seconds] = args;
    if (typeof seconds !== 'bigint') return one.call(id, target, args);
    if (seconds >= SECONDS_MIN && seconds <= SECONDS_MAX) {
      return one.call(id, target, [seconds * 1000n]);
    }
    return celError(refusedArgument('timestamp() accepts seconds since 1970'), id);
  };
  return Object.create(one, { call: { value: call } });
}

/** `1.5s`. The library writes three, six or nine digits: `1.500s`. */
function withoutZeros(one: CelFunc): CelFunc {
  const call: CelFunc['call'] = (id, target, args) => {
    const text = one.call(id, target, args);
    return typeof text === 'string' ? text.replace(/(\.\d*[1-9])0+s$/, '$1s') : text;
  };
  return Object.create(one, { call: { value: call } });
}

/** V8 takes the 30th of February for the 2nd of March, and hour 24 for the next day. The library checks the form. */
function isTime(text: string): boolean {
  const day = text.slice(0, 10);
  const start = new Date(`${day}T00:00:00Z`);
  return (
    !Number.isNaN(start.getTime()) &&
    start.toISOString().startsWith(day) &&
    text.slice(11, 13) !== '24'
  );
}
