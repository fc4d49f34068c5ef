import { afterEach, describe, expect, it, vi } from 'vitest';
import { assetOf } from '../testing/asset.ts';
import { compileCustomRule } from './compile.ts';
import { evaluateCustomRule } from './tests.ts';

const TYPE = 'storage.googleapis.com/Bucket';

/** The verdict of a predicate on a bucket with an emoji in its name; for `unknown` with the reason. */
function verdictOf(predicate: string, data = {}): string {
  const rule = compileCustomRule({
    id: 'mine',
    version: 1,
    title: 'Mine',
    description: '',
    severity: 'low',
    assetTypes: [TYPE],
    predicate,
    recommendation: '',
  });
  const { verdict, message } = evaluateCustomRule(rule, assetOf({ type: TYPE, data }), new Date(0));
  return message === '' ? verdict : `${verdict}: ${message}`;
}

describe('the string functions', () => {
  it.each([
    '"x😀y".size() == 3',
    '"x😀y".charAt(1) == "😀" && "x😀y".charAt(2) == "y" && "x😀y".charAt(3) == ""',
    '"x😀y".substring(1, 2) == "😀" && "x😀y".substring(2) == "y" && "x😀y".substring(3) == ""',
    '"x😀y".indexOf("y") == 2 && "x😀y".indexOf("y", 2) == 2 && "x😀y".indexOf("x", 1) == -1',
    '"y😀y".lastIndexOf("y") == 2 && "y😀y".lastIndexOf("y", 1) == 0',
    '"x😀y".indexOf("") == 0 && "x😀y".indexOf("", 3) == 3 && "x😀y".lastIndexOf("") == 3',
    '"x😀y".split("") == ["x", "😀", "y"] && "x😀".reverse() == "😀x"',
  ])('positions in strings count code points: %s', (predicate) => {
    expect(verdictOf(predicate)).toBe('fail');
  });

  it.each([
    '"a,b,c".split(",", 2) == ["a", "b,c"] && "a,b,c".split(",", 1) == ["a,b,c"]',
    '"a,b,c".split(",", 0) == [] && "a,b,c".split(",", -1) == ["a", "b", "c"]',
    '"a,b,c".split(",", 9) == ["a", "b", "c"] && "abc".split("", 2) == ["a", "bc"]',
    '"".split(",") == [""] && "".split("") == [] && ",".split(",") == ["", ""]',
    '"abcabc".replace("a", "x") == "xbcxbc" && "abcabc".replace("a", "x", 1) == "xbcabc"',
    '"aba".replace("a", "x", -1) == "xbx" && "aba".replace("a", "x", 0) == "aba"',
    '"a😀".replace("", "-") == "-a-😀-" && "abc".replace("", "-", 2) == "-a-bc"',
    // Not the patterns of replacements in JavaScript.
    '"abc".replace("b", "$&$1") == "a$&$1c"',
  ])('split and replace do what the string extension defines: %s', (predicate) => {
    expect(verdictOf(predicate)).toBe('fail');
  });

  it.each([
    '"x😀y".charAt(4) == ""',
    '"x😀y".charAt(-1) == ""',
    '"x😀y".substring(4) == ""',
    '"x😀y".substring(2, 1) == ""',
    '"x😀y".indexOf("y", 3) == -1',
    '"x😀y".lastIndexOf("y", 4) == -1',
  ])('a position outside the string makes the verdict UNKNOWN: %s', (predicate) => {
    expect(verdictOf(predicate)).toMatch(/^unknown: line 1 column \d+: the index is out of range$/);
  });

  it('split and replace take time linear in the string, and refuse to create too much', () => {
    const text = 'ab'.repeat(400_000);
    expect(verdictOf('resource.data.text.split("a").size() == 400001', { text })).toBe('fail');
    expect(verdictOf('resource.data.text.replace("a", "").size() == 400000', { text })).toBe(
      'fail',
    );
    const long = 'a'.repeat(1_000_001);
    expect(verdictOf('resource.data.long.split("").size() > 0', { long })).toContain('too large');
  });
});

describe('the order of strings', () => {
  it.each([
    '"\uffee" < "😀" && "\uffee" <= "😀" && !("😀" < "\uffee") && !("😀" <= "\uffee")',
    '"😀" > "\uffee" && "😀" >= "\uffee" && !("\uffee" > "😀") && !("\uffee" >= "😀")',
    '"a" < "b" && "a" < "aa" && "" < "a" && !("a" < "a") && "a" <= "a" && "a" >= "a" && !("a" > "a")',
    '"😀" < "😁" && "😀" <= "😀" && "a😀" > "a"',
  ])('strings compare by code point: %s', (predicate) => {
    expect(verdictOf(predicate)).toBe('fail');
  });
});

describe('the functions of times', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    'timestamp("0001-01-02T03:04:05Z").getFullYear() == 1 && timestamp("0099-12-31T00:00:00Z").getFullYear() == 99',
    'timestamp("0099-12-31T00:00:00Z").getDayOfYear() == 364 && timestamp("0099-12-31T23:00:00Z").getFullYear("02:00") == 100',
    'timestamp("2024-12-31T23:59:59Z").getDayOfYear() == 365 && timestamp("2024-12-31T23:59:59Z").getDayOfWeek() == 2',
    'timestamp("2026-01-01T00:00:00.9999Z").getMilliseconds() == 999 && timestamp("2026-01-01T00:00:00.9999Z").getSeconds() == 0',
    'timestamp("1969-12-31T23:59:59.25Z").getSeconds() == 59 && timestamp("1969-12-31T23:59:59.25Z").getMilliseconds("America/New_York") == 250',
    'timestamp("2026-01-01T02:30:00Z").getHours("America/St_Johns") == 23 && timestamp("2026-01-01T02:30:00Z").getFullYear("America/St_Johns") == 2025',
    'timestamp("2026-01-01T02:30:00Z").getMinutes("-05:45") == 45 && timestamp("2026-01-01T02:30:00Z").getDate("-05:45") == 31',
  ])('the parts of a time are those that CEL defines: %s', (predicate) => {
    expect(verdictOf(predicate)).toBe('fail');
  });

  it('the parts of a time do not depend on the time zone of the process', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(new Date('2026-07-01T00:00:00Z').getHours()).toBe(2);
    // Clocks in Berlin skip this hour.
    const skipped = 'timestamp("2026-03-29T02:30:00Z")';
    expect(verdictOf(`${skipped}.getHours() == 2 && ${skipped}.getHours("UTC") == 2`)).toBe('fail');
    expect(verdictOf('timestamp("2026-07-01T00:30:00Z").getDayOfYear() == 181')).toBe('fail');
  });

  it('an unknown time zone makes the verdict UNKNOWN', () => {
    expect(verdictOf('now.getHours("Europe/Atlantis") == 1')).toBe(
      'unknown: line 1 column 4: a function does not accept the given value',
    );
  });
});

describe('the conversions', () => {
  const GENERIC = 'a function does not accept the given value';

  it.each([
    'int("-05") == -5 && int("+5") == 5 && uint("5") == 5u',
    'double("1.5e1") == 15.0 && double(".5") == 0.5 && double("-Infinity") < 0.0',
    'timestamp("2024-02-29T23:59:59.5Z") < timestamp("2024-03-01T00:00:00-00:30")',
    'duration("0") == duration("-0s") && duration("1h30m") == duration("5400s") && duration(".5s") > duration("1ms")',
    'string(duration("1h")) == "3600s" && string(duration("1500ms")) == "1.5s" && string(duration("-1us")) == "-0.000001s"',
    'string(duration("120ms")) == "0.12s" && string(duration("10s")) == "10s" && string(duration("0s")) == "0s"',
    'timestamp(1767225600) == timestamp("2026-01-01T00:00:00Z")',
    'timestamp(int(timestamp("2026-01-01T00:00:00Z"))).getFullYear() == 2026',
  ])('conversions do what CEL defines: %s', (predicate) => {
    expect(verdictOf(predicate)).toBe('fail');
  });

  it.each([
    ['int("") == 1', GENERIC],
    ['int(" 5") == 1', GENERIC],
    ['int("0x10") == 1', GENERIC],
    ['uint("-1") == 1u', GENERIC],
    ['double("") > 1.0', GENERIC],
    ['double("unlimited") > 1.0', GENERIC],
    ['duration("") < duration("1s")', GENERIC],
    ['duration("-") < duration("1s")', GENERIC],
    ['timestamp("2026-02-30T00:00:00Z") < now', GENERIC],
    ['timestamp("2026-01-01T24:00:00Z") < now', GENERIC],
    ['timestamp("never") < now', GENERIC],
    ['timestamp(1767225600000) < now', 'timestamp() accepts seconds since 1970'],
  ])('a value that cannot be converted makes the verdict UNKNOWN: %s', (predicate, accepted) => {
    expect(verdictOf(predicate)).toBe(`unknown: line 1 column 1: ${accepted}`);
  });
});
