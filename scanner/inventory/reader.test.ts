import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { InventoryError } from './inventory-error.ts';
import { readInventory } from './reader.ts';
import type { InventoryRecord } from './record.ts';

const BUCKET = '{"name":"//storage.googleapis.com/a","asset_type":"storage.googleapis.com/Bucket"}';
const bucket = (name: string) => BUCKET.replace('/a"', `/${name}"`);

interface Given {
  readonly format?: 'ndjson' | 'json';
  readonly maxBytes?: number;
  readonly maxRecordBytes?: number;
  /** In bytes; default: one chunk. */
  readonly chunk?: number;
}

async function* chunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(input: string | Uint8Array, given: Given = {}): Promise<InventoryRecord[]> {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const source = chunks(bytes, given.chunk ?? Math.max(bytes.length, 1));
  const options = { format: 'ndjson', maxBytes: 1e6, maxRecordBytes: 1e5, ...given } as const;
  const records: InventoryRecord[] = [];
  for await (const record of readInventory(source, options)) records.push(record);
  return records;
}

async function refusal(input: string | Uint8Array, given: Given = {}): Promise<InventoryError> {
  const error: unknown = await read(input, given).catch((reason: unknown) => reason);
  if (!(error instanceof InventoryError)) throw new Error('The inventory was not refused.');
  return error;
}

describe('an inventory with one object per line', () => {
  it('an NDJSON inventory gives each record with its line, its kinds, its time and its text untouched', async () => {
    const line =
      '{"name":"//x/1","asset_type":"x/T","update_time":"2026-01-01T00:00:00Z", "resource":{"data":{}},"iam_policy":{}}';
    expect(await read(`${BUCKET}\n${line}\n`)).toEqual([
      {
        line: 1,
        name: '//storage.googleapis.com/a',
        type: 'storage.googleapis.com/Bucket',
        kinds: [],
        updateTime: null,
        location: null,
        project: null,
        hasUnreadablePolicy: false,
        hasUnreadableData: false,
        text: BUCKET,
      },
      {
        line: 2,
        name: '//x/1',
        type: 'x/T',
        kinds: ['RESOURCE', 'IAM_POLICY'],
        updateTime: '2026-01-01T00:00:00Z',
        location: null,
        project: null,
        hasUnreadablePolicy: false,
        hasUnreadableData: false,
        text: line,
      },
    ]);
  });

  it('an NDJSON inventory skips blank lines and comments, and counts them as lines', async () => {
    const records = await read(`# an export\n\n${bucket('a')}\n  \t\n  # more\n${bucket('b')}`);
    expect(records.map(({ line, name }) => [line, name])).toEqual([
      [3, '//storage.googleapis.com/a'],
      [6, '//storage.googleapis.com/b'],
    ]);
  });

  it('an NDJSON inventory may have CRLF line ends, and carriage returns are not part of the text', async () => {
    const records = await read(`${bucket('a')}\r\n\r\n${bucket('b')}\r\n`);
    expect(records.map(({ line, text }) => [line, text])).toEqual([
      [1, bucket('a')],
      [3, bucket('b')],
    ]);
  });

  it('an NDJSON inventory may start with a byte order mark, even in chunks of one byte', async () => {
    const input = `\uFEFF${BUCKET}\n${BUCKET}`;
    expect(await read(input)).toEqual(await read(input, { chunk: 1 }));
    expect((await read(input))[0]?.text).toBe(BUCKET);
  });

  it('an NDJSON inventory may be several files in sequence, each with a byte order mark', async () => {
    const input = `\uFEFF${bucket('a')}\n\uFEFF# b\n\uFEFF\n\uFEFF${bucket('c')}\n\uFEFF`;
    const records = await read(input);
    expect(records.map(({ line, text }) => [line, text])).toEqual([
      [1, bucket('a')],
      [4, bucket('c')],
    ]);
    expect(await read(input, { chunk: 1 })).toEqual(records);
  });

  it('an NDJSON inventory is the same in any chunks', async () => {
    const input = `# x\r\n${bucket('ä')}\n\n${bucket('€')}\r\n${bucket('😀')}`;
    const whole = await read(input);
    expect(whole).toHaveLength(3);
    for (const chunk of [1, 2, 3, 5, 7, 64]) expect(await read(input, { chunk })).toEqual(whole);
  });

  it('an NDJSON inventory may be empty', async () => {
    expect(await read('')).toEqual([]);
    expect(await read('# nothing\n')).toEqual([]);
    expect(await read('# nothing')).toEqual([]);
    expect(await read(`# ${BUCKET}\n`)).toEqual([]);
  });

  it('an NDJSON inventory whose line feeds were removed is refused, also if it begins with a comment', async () => {
    const joined = `# an export${BUCKET}${BUCKET}`;
    for (const chunk of [1, 64, 4096]) {
      const error = await refusal(joined, { chunk });
      expect([error.line, error.message]).toEqual([1, expect.stringContaining('--data-binary')]);
    }
    expect((await refusal(`${BUCKET}${BUCKET}`)).line).toBe(1);
  });

  it('an NDJSON inventory is refused with the line number of the malformed record', async () => {
    const error = await refusal(`# export\n${BUCKET}\n\n{"name":"//x/1",}\n${BUCKET}`);
    expect(error).toMatchObject({ code: 'malformed', place: 'line 4' });
    expect(error.message).toBe(
      'This is not JSON: expected a member name in double quotes at column 17. A record must be one complete JSON object.',
    );
  });

  it.each([
    [
      'on several lines',
      2,
      /must be one line, as jq -c writes it\. Send .*, such as a Terraform plan, with content-type: /,
    ],
    ['on one line', 0, /^This is the output of terraform show -json\. Send it with content-type: /],
  ])(
    'an NDJSON inventory that is a Terraform plan %s is refused with the content type that it needs',
    async (_, indent, words) => {
      const plan = { format_version: '1.2', terraform_version: '1.9.0', planned_values: {} };
      const error = await refusal(JSON.stringify(plan, null, indent));
      expect(error).toMatchObject({ code: 'malformed', place: 'line 1' });
      expect(error.message).toMatch(words);
      expect(error.message).toMatch(
        /content-type: application\/json; for cspm, rename the file to \.json\.$/,
      );
    },
  );

  it.each(['ndjson', 'json'] as const)(
    'records of several lines are refused with the command that writes each on one, as %s',
    async (format) => {
      const record = JSON.stringify(JSON.parse(BUCKET), null, 2);
      expect((await refusal(`${record}\n${record}\n`, { format })).message).toContain('jq -c');
    },
  );

  it.each(['ndjson', 'json'] as const)(
    'a %s inventory that is a state file of Terraform is refused with the command that converts it',
    async (format) => {
      const state = {
        version: 4,
        terraform_version: '1.11.4',
        serial: 3,
        lineage: 'a',
        resources: [],
      };
      const error = await refusal(JSON.stringify(state), { format });
      expect(error).toMatchObject({ code: 'malformed', place: 'line 1' });
      expect(error.message).toContain('`terraform show -json terraform.tfstate`');
    },
  );

  it('an NDJSON inventory is refused with the line of a record over the limit, even if its end never comes', async () => {
    const given = { maxRecordBytes: 100, chunk: 10 };
    const long = `{"name":"${'x'.repeat(200)}`;
    expect(await refusal(`${BUCKET}\n${long}`, given)).toMatchObject({
      code: 'too_large',
      place: 'line 2',
    });
    expect(await refusal(`${long}\n`, { maxRecordBytes: 100 })).toMatchObject({
      code: 'too_large',
      place: 'line 1',
    });
  });

  it('an NDJSON inventory may have records of exactly the limit', async () => {
    expect(await read(`${BUCKET}\n`, { maxRecordBytes: BUCKET.length })).toHaveLength(1);
    expect(await refusal(BUCKET, { maxRecordBytes: BUCKET.length - 1 })).toBeDefined();
  });

  it('a carriage return before the line feed does not count towards the limit of an NDJSON record', async () => {
    for (const chunk of [1, 7, BUCKET.length, BUCKET.length + 1, 1000]) {
      const given = (maxRecordBytes: number) => ({ maxRecordBytes, chunk });
      for (const end of ['\n', '\r\n', '\r', '']) {
        expect(await read(`${BUCKET}${end}`, given(BUCKET.length))).toHaveLength(1);
        expect(await refusal(`${BUCKET}${end}`, given(BUCKET.length - 1))).toMatchObject({
          code: 'too_large',
          place: 'line 1',
        });
      }
    }
  });

  it('an NDJSON inventory over the total limit is refused with the line reached', async () => {
    const input = `${BUCKET}\n${BUCKET}\n`;
    expect(await read(input, { maxBytes: input.length })).toHaveLength(2);
    expect(await refusal(input, { maxBytes: input.length - 1, chunk: 100 })).toMatchObject({
      code: 'too_large',
      place: 'line 2',
    });
  });

  it('an NDJSON inventory yields the records before a fault', async () => {
    const source = Readable.from([Buffer.from(`${BUCKET}\nnonsense\n`)]);
    const options = { format: 'ndjson', maxBytes: 1e6, maxRecordBytes: 1e5 } as const;
    const records = readInventory(source, options);
    expect((await records.next()).value).toMatchObject({ line: 1 });
    await expect(records.next()).rejects.toThrow(InventoryError);
  });

  it('an NDJSON inventory passes an error of its source on unchanged', async () => {
    const broken = new Error('The connection was closed.');
    async function* source(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${BUCKET}\n`);
      throw broken;
    }
    const options = { format: 'ndjson', maxBytes: 1e6, maxRecordBytes: 1e5 } as const;
    const records = readInventory(source(), options);
    await records.next();
    await expect(records.next()).rejects.toBe(broken);
  });

  it('an NDJSON inventory holds at most one record in memory when it arrives in a million chunks of one byte', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const record = `{"name":"//x/1","asset_type":"x/T","note":"${'x'.repeat(1_000_000)}"}`;
    const records = await read(record, { chunk: 1, maxBytes: 2e6, maxRecordBytes: 2e6 });
    expect(records[0]?.text).toBe(record);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16e6);
  });
});

describe('an inventory as a JSON array', () => {
  it('an inventory as a JSON array gives the line on which each record starts, and its text on one line', async () => {
    const pretty = JSON.stringify([JSON.parse(bucket('a')), JSON.parse(bucket('b'))], null, 2);
    const records = await read(pretty, { format: 'json' });
    expect(records.map(({ line, name }) => [line, name])).toEqual([
      [2, '//storage.googleapis.com/a'],
      [6, '//storage.googleapis.com/b'],
    ]);
    for (const { text } of records) expect(text).not.toMatch(/[\r\n]/);
    expect(records.map(({ text }) => JSON.parse(text))).toEqual(JSON.parse(pretty));
  });

  it('an inventory as a JSON array keeps escaped line breaks of strings', async () => {
    const input = '[{"name":"//x/1","asset_type":"x/T",\r\n "note":"a\\nb\\\\"}]';
    const [record] = await read(input, { format: 'json' });
    expect(JSON.parse(record?.text ?? '')).toMatchObject({ note: 'a\nb\\' });
  });

  it('an inventory as a JSON array is refused with the line of a fault inside a record', async () => {
    const error = await refusal(`[\n${BUCKET},\n{\n  "name": "//x/1"\n  "asset_type": "x/T"\n}]`, {
      format: 'json',
    });
    expect(error.place).toBe('line 3');
    expect(error.message).toContain('expected a comma or } at line 5, column 3');
  });
});
