import { expect, it } from 'vitest';
import { visible } from './visible-text.ts';

it.each([
  ['a\u202eb', 'a\\u{202e}b'],
  ['a\r\n\tb', 'a b'],
  ['a\u0000\u200b\u2028', 'a\\u{0}\\u{200b}\\u{2028}'],
  ['shop\u200dprod', 'shop\\u{200d}prod'],
  ['\u0430\u200cb', '\u0430\\u{200c}b'],
  ['\u200d\u0645', '\\u{200d}\u0645'],
  ['\u0645\u200c\u200c\u062e', '\u0645\\u{200c}\\u{200c}\u062e'],
])('invisible characters of the text %j are shown by their code', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

it.each([
  'Zoë O’Brien & Söhne "AG"',
  '株式会社',
  '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  '\u0915\u094d\u200d\u0937',
  '\u{1f469}\u200d\u{1f4bb}',
  '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}',
  '\u2764\ufe0f\u200d\u{1f525}',
])(
  'the text %j, in which every joiner belongs to a script or an emoji, is shown as it is',
  (text) => {
    expect(visible(text)).toBe(text);
  },
);
