import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InventoryError } from './inventory-error.ts';
import { ArraySplitter } from './json-array.ts';

/** Splits as the reader does, chunk by chunk, and decodes each record before requesting the next. */
function split(chunks: readonly Uint8Array[], maxRecordBytes = 1e6) {
  const splitter = new ArraySplitter(maxRecordBytes);
  const records: { line: number; text: string }[] = [];
  for (const chunk of chunks) {
    for (const { line, bytes } of splitter.push(Buffer.from(chunk))) {
      records.push({ line, text: bytes.toString('utf8') });
    }
  }
  expect(splitter.end()).toEqual([]);
  return records;
}

function refusal(input: string, chunk = input.length): { place: string; message: string } {
  const bytes = Buffer.from(input);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk));
  try {
    split(chunks, 50);
  } catch (error) {
    if (error instanceof InventoryError) return error;
    throw error;
  }
  throw new Error('The array was not refused.');
}

describe('a streamed JSON array', () => {
  it('a streamed JSON array is split into its elements for any content and any chunk boundaries', () => {
    const element = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
    const cuts = fc.array(fc.nat({ max: 5000 }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(element), fc.constantFrom(0, 2), cuts, (elements, indent, at) => {
        const bytes = Buffer.from(JSON.stringify(elements, null, indent));
        const ends = [...at.map((cut) => cut % (bytes.length + 1)), bytes.length];
        const chunks = ends
          .toSorted((a, b) => a - b)
          .map((end, index, all) => bytes.subarray(all[index - 1] ?? 0, end));
        const records = split([bytes.subarray(0, 0), ...chunks]);
        expect(records.map(({ text }) => JSON.parse(text))).toEqual(
          JSON.parse(JSON.stringify(elements)),
        );
        const lines = bytes.toString('utf8').split('\n');
        for (const { line } of records) expect(lines[line - 1]?.trim()).toMatch(/^\[?\{/);
      }),
    );
  });

  it.each(['\ufeff[{}]', '\ufeff{"format_version":"1.2"}', '[{}]'])(
    'a streamed JSON array in UTF-16 is refused as no valid UTF-8: %j',
    (text) => {
      const chunks = [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()];
      for (const chunk of chunks) {
        expect(() => split([chunk])).toThrow('This is not valid UTF-8. Save the export as UTF-8.');
      }
    },
  );

  it('a streamed JSON array may be empty', () => {
    expect(split([Buffer.from(' [ ]\n')])).toEqual([]);
  });

  it('a streamed JSON array may have brackets, quotes and backslashes in strings, wherever the chunks end', () => {
    const text = '{"a":"}]\\"{[","b":["\\\\"]}';
    const bytes = Buffer.from(`[${text},${text}]`);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(split([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([
        { line: 1, text },
        { line: 1, text },
      ]);
    }
  });

  it.each([
    ['an empty file', '', 'line 1', 'The file is empty'],
    ['a file of blanks', '\n\n', 'line 3', 'The file is empty'],
    ['an object', '\n{"name":"n"}', 'line 2', 'For one object per line use application/x-ndjson'],
    ['a comment', '# export\n{}', 'line 1', 'For one object per line use application/x-ndjson'],
    ['text', 'hello', 'line 1', 'expected ['],
    ['an array of numbers', '[\n1]', 'line 2', 'must be an object'],
    ['an array of arrays', '[[{}]]', 'line 1', 'must be an object'],
    ['a missing comma', '[{}\n{}]', 'line 2', 'A comma is missing between two records'],
    ['a missing element', '[{},,{}]', 'line 1', 'must be an object'],
    ['a comma at the beginning', '[,{}]', 'line 1', 'must be an object'],
    ['a comma at the end', '[{},\n]', 'line 2', 'a comma before the closing ]'],
    ['a missing end', '[{},\n{}\n', 'line 3', 'without the closing ]'],
    ['an end after a comma', '[{},', 'line 1', 'without the closing ]'],
    ['an end inside a record', '[{},\n{"a":\n1', 'line 2', 'The file ends within this record'],
    ['an end inside a string', '[{"a":"]}', 'line 1', 'The file ends within this record'],
    ['something after the end', '[{}]\n\n{}', 'line 3', 'content after the closing ]'],
    ['a record over the bound', `[{},\n{"a":"${'x'.repeat(60)}"}]`, 'line 2', 'larger than 50'],
  ])(
    'a streamed JSON array is refused for %s, wherever the chunks end',
    (_what, input, place, words) => {
      for (const chunk of [1, 3, 1000]) {
        const error = refusal(input, chunk);
        expect(error.place).toBe(place);
        expect(error.message).toContain(words);
      }
    },
  );
});
