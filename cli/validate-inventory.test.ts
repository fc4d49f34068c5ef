import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFormOf } from '../tests/kit/google/api-form.ts';
import { commandLine } from './testing/command-line.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../docs/inventory-format.md', import.meta.url));
const GOOD = { name: '//x/1', asset_type: 'x/T' };

describe('cspm inventory validate', () => {
  const cspm = commandLine();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cspm-validate-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function validate(name: string, content: string | Uint8Array) {
    const file = join(folder, name);
    await writeFile(file, content);
    return cspm(['inventory', 'validate', file]);
  }

  const ndjson = (...records: readonly unknown[]) =>
    records.map((record) => JSON.stringify(record)).join('\n');

  it('cspm inventory validate accepts exports, API responses and the documented example', async () => {
    const sample = await readFile(SAMPLE, 'utf8');
    const exported = await cspm(['inventory', 'validate', SAMPLE]);
    expect({ code: exported.code, output: exported.output }).toEqual({ code: 0, output: '' });
    expect(exported.messages).toMatch(/^\d+ records of shop-prod\.ndjson, no error\.$/m);
    const lines = sample.split('\n').filter((line) => line.startsWith('{'));
    const api = ndjson(...lines.map(apiFormOf));
    expect((await validate('api.ndjson.gz', gzipSync(api))).code).toBe(0);
    expect((await validate('lines.json', sample)).code).toBe(0);
    const array = `[${lines.join(',\n')}]`;
    expect((await validate('array.json', array)).code).toBe(0);
    const [, example = ''] = /```json\n(.*?)```/s.exec(await readFile(DOCUMENT, 'utf8')) ?? [];
    expect((await validate('example.ndjson', example)).messages).toContain('2 records');
  });

  it('cspm inventory validate prints the line and the pointer of each error and exits with 2', async () => {
    const { code, output } = await validate(
      'wrong.ndjson',
      ndjson(
        GOOD,
        { ...GOOD, iam_policy: { bindings: [{ role: 'r', members: ['a', 5] }] } },
        { ...GOOD, resource: { data: 'text' }, ancestors: 'projects/1' },
        { name: '//x/2' },
        { ...GOOD, updateTime: 'yesterday' },
      ),
    );
    expect(code).toBe(2);
    expect(output).toContain('line 2, /iam_policy/bindings/0/members/1: This must be string.');
    expect(output).toContain('line 3, /resource/data: This must be object.');
    expect(output).toContain('line 3, /ancestors: This must be array.');
    expect(output).toMatch(/^line 4: The record has no asset type/m);
    expect(output).toContain('line 5, /updateTime: This must match format "date-time".');
  });

  it('cspm inventory validate refuses names that an upload refuses', async () => {
    const nameOf = (bytes: number) => 'ü'.repeat(bytes / 2);
    const accepted = { name: nameOf(1_496), asset_type: 'x/T' };
    const longer = { ...accepted, name: nameOf(1_498) };
    const ascii = { ...accepted, name: 'n'.repeat(1_500) };
    const { code, output } = await validate('names.ndjson', ndjson(accepted, longer, ascii));
    expect(code).toBe(2);
    expect(output).toBe(
      'line 2, /name: This and the asset type together must NOT have more than 1500 bytes.\n' +
        'line 3, /name: This must NOT have more than 1499 characters.\n',
    );
    const array = JSON.stringify([longer, { ...GOOD, ancestors: 5 }]);
    expect((await validate('names.json', array)).output).toMatch(/, \/name: .*\n.*, \/ancestors: /);
  });

  it('cspm inventory validate continues after a line that is not JSON or too long', async () => {
    const long = JSON.stringify({ ...GOOD, text: 'x'.repeat(5 * 1024 * 1024) });
    const { output } = await validate(
      'broken.ndjson',
      `# comment\n\n{"name"\n${long}\n${ndjson({ ...GOOD, ancestors: 5 })}`,
    );
    expect(output).toMatch(/^line 3: This is not JSON/m);
    expect(output).toMatch(/^line 4: The record is longer than \d+ bytes/m);
    expect(output).toContain('line 5, /ancestors');
  });

  it('cspm inventory validate stops after 100 errors, at most 10 of one record', async () => {
    const wrong = { ...GOOD, ancestors: Array.from({ length: 500 }, (_, at) => at) };
    const one = await validate('one.ndjson', ndjson(wrong));
    expect(one.output.trimEnd().split('\n')).toHaveLength(10);
    const many = await validate('many.ndjson', ndjson(...Array.from({ length: 50 }, () => wrong)));
    expect(many.output.trimEnd().split('\n')).toHaveLength(100);
    expect(many.messages).toContain('Stopped after 100 errors');
  });

  it('cspm inventory validate refuses a file without records, a missing file and a missing argument', async () => {
    expect((await validate('empty.ndjson', '# nothing\n')).code).toBe(2);
    const missing = await cspm(['inventory', 'validate', join(folder, 'nowhere')]);
    expect(missing).toMatchObject({ code: 2, messages: expect.stringContaining('cannot read') });
    const none = await cspm(['inventory', 'validate']);
    expect(none).toMatchObject({
      code: 2,
      messages: expect.stringContaining('Missing argument: the file name.'),
    });
  });

  it('cspm inventory validate never prints control characters of a file', async () => {
    const { output } = await validate(
      'escape.ndjson',
      ndjson({ ...GOOD, resource: { '\u001b[2J': 1 } }),
    );
    expect(output).not.toContain('\u001b');
  });
});
