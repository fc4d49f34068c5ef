import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));

const BUCKET = {
  name: '//storage.googleapis.com/site',
  asset_type: 'storage.googleapis.com/Bucket',
  ancestors: ['projects/1'],
};
const OPEN_BUCKET = [
  { ...BUCKET, resource: { data: { id: 'site' } } },
  {
    ...BUCKET,
    iam_policy: { bindings: [{ role: 'roles/storage.objectViewer', members: ['allUsers'] }] },
  },
];

describe('cspm scan --local', () => {
  const cspm = commandLine();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cspm-local-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, content);
    return file;
  }

  const ndjson = (records: readonly object[]) => records.map((r) => JSON.stringify(r)).join('\n');

  it('judges an export without any service, and fails a pipeline on what is bad enough', async () => {
    const file = await fileOf('open.ndjson', ndjson(OPEN_BUCKET));
    const high = await cspm(['scan', '--local', file]);
    expect(high.code).toBe(1);
    expect(high.output).toContain('bucket-public  //storage.googleapis.com/site');
    expect(high.messages).toMatch(/Scanned 1 assets of open\.ndjson by 135 rules/);
    expect((await cspm(['scan', '--local', file, '--fail-on', 'critical'])).code).toBe(0);
    expect((await cspm(['scan', '--local', file, '--fail-on', 'never'])).code).toBe(0);
  });

  it('finds the same in a gzipped file, and has the same fingerprints on every run', async () => {
    const plain = await fileOf('same.ndjson', ndjson(OPEN_BUCKET));
    const packed = await fileOf('packed.ndjson.gz', gzipSync(ndjson(OPEN_BUCKET)));
    const printsOf = async (file: string) => {
      const { output } = await cspm(['scan', '--local', file, '--format', 'ndjson']);
      return output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).fingerprint);
    };
    const prints = await printsOf(plain);
    expect(prints.length).toBeGreaterThan(2);
    expect(await printsOf(packed)).toEqual(prints);
  });

  it('judges what a Terraform plan would make', async () => {
    const plan = {
      format_version: '1.2',
      planned_values: {
        root_module: {
          resources: [
            {
              address: 'google_compute_firewall.ssh',
              mode: 'managed',
              type: 'google_compute_firewall',
              values: {
                name: 'ssh',
                project: 'shop',
                source_ranges: ['0.0.0.0/0'],
                allow: [{ protocol: 'tcp', ports: ['22'] }],
              },
            },
          ],
        },
      },
    };
    const file = await fileOf('plan.json', JSON.stringify(plan));
    const { code, output } = await cspm(['scan', '--local', file]);
    expect(code).toBe(1);
    expect(output).toContain('fw-ssh-world');
  });

  it('writes a whole report to a file, and leaves the one before in its place when it cannot', async () => {
    const report = join(folder, 'report.sarif');
    const args = ['--format', 'sarif', '--output', report, '--fail-on', 'never'];
    const { code, output } = await cspm(['scan', '--local', SAMPLE, ...args]);
    expect({ code, output }).toEqual({ code: 0, output: '' });
    const sarif = JSON.parse(await readFile(report, 'utf8'));
    expect(sarif.version).toBe('2.1.0');
    expect(sarif.runs[0].results.length).toBeGreaterThan(100);
    const broken = await fileOf('broken.ndjson', '{"name":"//x/1","asset_type":"x/T"}\n{"name"');
    const second = await cspm(['scan', '--local', broken, ...args]);
    expect(second.code).toBe(2);
    expect(second.messages).toContain('broken.ndjson, line 2: This is not JSON');
    expect(JSON.parse(await readFile(report, 'utf8'))).toEqual(sarif);
  });

  it('draws its progress where somebody watches, and nowhere else', async () => {
    const watched = await cspm(['scan', '--local', SAMPLE, '--output', join(folder, 'x')], {
      isInteractive: true,
    });
    expect(watched.messages).toContain('judging');
    const piped = await cspm(['scan', '--local', SAMPLE, '--output', join(folder, 'x')]);
    expect(piped.messages).not.toContain('judging');
    expect(piped.messages).not.toContain('\u001b');
  });

  it('shows nothing of a name that would steer the terminal', async () => {
    const evil = { ...BUCKET, name: '//storage.googleapis.com/\u001b[2Jgone' };
    const file = await fileOf('evil.ndjson', ndjson([{ ...evil, resource: { data: {} } }]));
    const { output } = await cspm(['scan', '--local', file]);
    expect(output).toContain('?[2Jgone');
    expect(output).not.toContain('\u001b');
  });

  it('evaluates rules of the user besides, in YAML, once their own tests hold', async () => {
    const rule = `
title: Bucket without an owner
severity: medium
assetTypes: [storage.googleapis.com/Bucket]
predicate: '!has(resource.data.labels) || !has(resource.data.labels.owner)'
recommendation: Set the label owner.
tests:
  - asset: { name: //x/1, asset_type: storage.googleapis.com/Bucket, resource: { data: { labels: { owner: ada } } } }
    verdict: pass
`;
    const file = await fileOf('owned.ndjson', ndjson(OPEN_BUCKET));
    const rules = await fileOf('rules.yaml', rule);
    const { output, messages } = await cspm(['scan', '--local', file, '--rules', rules]);
    expect(output).toContain('bucket-without-an-owner  //storage.googleapis.com/site');
    expect(messages).toContain('by 136 rules');
    const wrong = await fileOf('wrong.yaml', rule.replace('verdict: pass', 'verdict: fail'));
    const refused = await cspm(['scan', '--local', file, '--rules', wrong]);
    expect(refused.code).toBe(2);
    expect(refused.messages).toContain('tests.0: the rule says pass, and should say fail');
  });

  it.each([
    [['scan'], 'either --project, or --local'],
    [['scan', '--local', 'nowhere.ndjson'], 'nowhere.ndjson cannot be read'],
    [['scan', '--local', SAMPLE, '--profile', 'nope'], '--profile takes full, cis-gcp-2.0'],
    [['scan', '--local', SAMPLE, '--fail-on', 'bad'], '--fail-on takes critical, high'],
    [['scan', '--local', SAMPLE, '--only-new'], '--only-new needs the service'],
    [['scan', '--local', SAMPLE, '--colour'], "'--colour'"],
    [['scan', '--local', SAMPLE, 'more'], '"more" is not an option'],
    [['scna'], 'There is no command "scna"'],
  ])('answers %j with 2 and what is wrong with it', async (args, words) => {
    const { code, output, messages } = await cspm(args);
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(messages).toContain(words);
  });
});
