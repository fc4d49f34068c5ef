import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { RULES } from '@cspm/scanner';
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

/** Two of them are longer than what is read ahead. */
const LONG = {
  name: '//storage.googleapis.com/long',
  asset_type: 'storage.googleapis.com/Bucket',
  resource: { data: { id: 'long', labels: { long: 'x'.repeat(3 * 1024 * 1024) } } },
};

const ndjson = (records: readonly object[]) => records.map((r) => JSON.stringify(r)).join('\n');

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

  it('cspm scan --local scans an export without a service and exits with 1 at or above --fail-on', async () => {
    const file = await fileOf('open.ndjson', ndjson(OPEN_BUCKET));
    const high = await cspm(['scan', '--local', file]);
    expect(high.code).toBe(1);
    expect(high.output).toContain('bucket-public  //storage.googleapis.com/site');
    expect(high.messages).toMatch(/Scanned 1 asset of open\.ndjson with \d+ rules: \d+ passed/);
    expect((await cspm(['scan', '--local', file, '--fail-on', 'critical'])).code).toBe(0);
    expect((await cspm(['scan', '--local', file, '--fail-on', 'never'])).code).toBe(0);
  });

  it('cspm scan --local writes the fixes of an inventory to a file, each proved on its asset', async () => {
    const file = await fileOf('to-fix.ndjson', ndjson(OPEN_BUCKET));
    const fixes = join(folder, 'patch.json');
    expect((await cspm(['scan', '--local', file, '--fixes', fixes])).code).toBe(1);
    const written = JSON.parse(await readFile(fixes, 'utf8'));
    expect(written).toMatchObject({ format: 'cspm-fixes/1', file: 'to-fix.ndjson' });
    const rules = written.fixes.map(({ ruleId }: { ruleId: string }) => ruleId);
    expect(rules).toContain('bucket-versioning');
    expect(rules).not.toContain('bucket-cmek');
    expect(written.fixes).toContainEqual({
      ruleId: 'bucket-public',
      severity: 'high',
      asset: { name: BUCKET.name, type: BUCKET.asset_type },
      patch: [
        { op: 'test', path: '/iam_policy/bindings/0/members/0', value: 'allUsers' },
        { op: 'remove', path: '/iam_policy/bindings/0/members/0' },
        { op: 'remove', path: '/iam_policy/bindings/0' },
      ],
      gcloud:
        'gcloud storage buckets remove-iam-policy-binding gs://site --member=allUsers --role=roles/storage.objectViewer',
      terraform: [
        {
          resource: 'google_storage_bucket_iam_member',
          match: 'role = "roles/storage.objectViewer", member = "allUsers"',
          attribute: 'member',
          value: null,
        },
      ],
      caution: null,
    });
    const service = await cspm(['scan', '--project', 'shop', '--fixes', fixes]);
    expect(service.messages).toContain('--fixes needs --local or --gcp');
  });

  it('cspm scan --local puts the fixes into SARIF, and the reason of rules without one into their help', async () => {
    const file = await fileOf('sarif.ndjson', ndjson(OPEN_BUCKET));
    const { output } = await cspm(['scan', '--local', file, '--format', 'sarif']);
    const [{ results, tool }] = JSON.parse(output).runs;
    const resultOf = (id: string) =>
      results.find(({ ruleId }: { ruleId: string }) => ruleId === id);
    expect(resultOf('bucket-versioning').fixes).toEqual([
      {
        description: { text: 'gcloud storage buckets update gs://site --versioning' },
        artifactChanges: [
          {
            artifactLocation: { uri: 'storage.googleapis.com/site.patch.json' },
            replacements: [
              {
                deletedRegion: { charOffset: 0, charLength: 0 },
                insertedContent: { text: expect.stringContaining('/resource/data/versioning') },
              },
            ],
          },
        ],
        properties: expect.objectContaining({ caution: null }),
      },
    ]);
    expect(resultOf('bucket-cmek')).not.toHaveProperty('fixes');
    const rule = tool.driver.rules.find(({ id }: { id: string }) => id === 'bucket-cmek');
    expect(rule.help.text).toContain('No automatic fix: needs the name of a key.');
  });

  it.each([
    ['that is something else', Buffer.from('{}')],
    ['that was cut off', gzipSync('{}').subarray(0, -4)],
    ['that goes on after a zero byte', Buffer.concat([gzipSync('{}'), Buffer.alloc(1)])],
  ])('cspm scan --local refuses a gzipped file %s, and exits with 2', async (_, bytes) => {
    const file = await fileOf('broken.ndjson.gz', bytes);
    const { code, messages } = await cspm(['scan', '--local', file]);
    expect(code).toBe(2);
    expect(messages).toContain(
      `--local: ${file} is truncated, goes on after its end, or is not gzip.`,
    );
  });

  it.each(['packed.ndjson.gz', 'PACKED.JSON.GZ', 'packed.ndjson'])(
    'cspm scan --local gives the gzipped file %s the same fingerprints as the plain file',
    async (name) => {
      const plain = await fileOf('same.ndjson', ndjson(OPEN_BUCKET));
      const packed = await fileOf(name, gzipSync(ndjson(OPEN_BUCKET)));
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
    },
  );

  it.each([
    ['records', 'lines.json', ndjson(OPEN_BUCKET)],
    ['gzipped records', 'lines.json.gz', gzipSync(ndjson(OPEN_BUCKET))],
    ['records after a byte order mark', 'mark.json', `\ufeff${ndjson(OPEN_BUCKET)}`],
    ['records after a comment', 'comment.json', `# exported\r\n\r\n${ndjson(OPEN_BUCKET)}`],
    ['an array in one line', 'array.json', JSON.stringify(OPEN_BUCKET)],
    ['an array, of a name in capital letters', 'ARRAY.JSON', JSON.stringify(OPEN_BUCKET)],
    [
      'an array of lines',
      'array-lines.json',
      `[\n${OPEN_BUCKET.map((r) => JSON.stringify(r)).join(',\n')}]`,
    ],
    [
      'a long array in one line',
      'long.json',
      JSON.stringify([LONG, { ...LONG, name: '//x/2' }, ...OPEN_BUCKET]),
    ],
  ])(
    'cspm scan --local tells by its content how to read a .json file with %s',
    async (_, name, content) => {
      const file = await fileOf(name, content);
      const { code, output } = await cspm(['scan', '--local', file]);
      expect(output).toContain('bucket-public  //storage.googleapis.com/site');
      expect(code).toBe(1);
    },
  );

  it('cspm scan --local says how to name a .json file that it cannot tell from NDJSON', async () => {
    const file = await fileOf('cut.json', `{"name":"//x/1"}\n${ndjson(OPEN_BUCKET)}`);
    const { code, messages } = await cspm(['scan', '--local', file]);
    expect(code).toBe(2);
    expect(messages).toContain('for cspm, rename the file to .ndjson');
  });

  it('cspm scan --local scans the planned resources of a Terraform plan', async () => {
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

  it.each([
    ['only assets of types without a rule', 'x.googleapis.com/Y', 'full', 'x.googleapis.com/Y: 1'],
    ['only assets outside the profile', BUCKET.asset_type, 'gke', 'do not evaluate 1 other asset'],
  ])('cspm scan --local exits with 2 for a file with %s', async (_, type, profile, words) => {
    const file = await fileOf(
      'undecided.ndjson',
      ndjson([{ ...BUCKET, asset_type: type, resource: { data: { id: 'site' } } }]),
    );
    const report = join(folder, 'undecided.json');
    const args = ['--profile', profile, '--format', 'json', '--output', report];
    const { code, messages } = await cspm(['scan', '--local', file, ...args]);
    expect(code).toBe(2);
    expect(messages).toContain('contains no asset that a rule can evaluate');
    expect(messages).toContain(words);
    await expect(readFile(report)).rejects.toThrow('ENOENT');
  });

  const NAMES_ONLY = [
    BUCKET,
    {
      name: '//logging.googleapis.com/projects/1/sinks/s',
      asset_type: 'logging.googleapis.com/LogSink',
    },
  ].map((asset) => ({ ...asset, ancestors: ['projects/1'] }));

  it.each([
    ['a bucket', NAMES_ONLY.slice(0, 1)],
    ['a bucket and a log sink, whose absence rules on whole projects look for', NAMES_ONLY],
  ])(
    'cspm scan --local exits with 2 for an export without content, unless --fail-on is never: %s',
    async (_, records) => {
      const file = await fileOf('names.ndjson', ndjson(records));
      const { code, messages } = await cspm(['scan', '--local', file]);
      expect(code).toBe(2);
      expect(messages).toContain('the scan says nothing about names.ndjson');
      expect(messages).toContain('--content-type=iam-policy');
      expect((await cspm(['scan', '--local', file, '--fail-on', 'never'])).code).toBe(0);
    },
  );

  it.each([
    ['an option', ['--colour'], true],
    ['the value of an option', ['--profile', 'nope'], true],
    ['a file', [], false],
  ])(
    'cspm scan --local prints how to use it after a mistake in the options only: %s',
    async (_, args, isPrinted) => {
      const file = await fileOf('mistake.ndjson', '{');
      const { code, messages } = await cspm(['scan', '--local', file, ...args]);
      expect(code).toBe(2);
      expect(messages.includes('Usage: cspm scan')).toBe(isPrinted);
    },
  );

  it('cspm scan --local draws a progress bar on an interactive terminal only', async () => {
    const watched = await cspm(['scan', '--local', SAMPLE, '--output', join(folder, 'x')], {
      terminals: ['messages'],
    });
    expect(watched.messages).toContain('evaluating');
    const piped = await cspm(['scan', '--local', SAMPLE, '--output', join(folder, 'x')]);
    expect(piped.messages).not.toContain('evaluating');
    expect(piped.messages).not.toContain('\u001b');
  });

  it('cspm scan --local replaces terminal escape sequences in asset names', async () => {
    const evil = { ...BUCKET, name: '//storage.googleapis.com/\u001b[2Jgone' };
    const file = await fileOf('evil.ndjson', ndjson([{ ...evil, resource: { data: {} } }]));
    const { output } = await cspm(['scan', '--local', file]);
    expect(output).toContain('?[2Jgone');
    expect(output).not.toContain('\u001b');
  });

  it('cspm scan --local --rules evaluates CEL rules from YAML after their embedded tests pass, except disabled ones', async () => {
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
    expect(messages).toContain(`with ${RULES.length + 1} rules`);
    const disabled = await fileOf('disabled.yaml', `enabled: false\n${rule.trim()}`);
    const without = await cspm(['scan', '--local', file, '--rules', disabled]);
    expect(without.output).not.toContain('bucket-without-an-owner');
    expect(without.messages).toContain(`with ${RULES.length} rules`);
    const wrong = await fileOf('wrong.yaml', rule.replace('verdict: pass', 'verdict: fail'));
    const refused = await cspm(['scan', '--local', file, '--rules', wrong]);
    expect(refused.code).toBe(2);
    expect(refused.messages).toContain('tests.0: the rule returns pass; expected fail');
  });

  it('cspm scan --local prints findings sorted by severity, most severe first', async () => {
    const { output } = await cspm(['scan', '--local', SAMPLE]);
    const severities = [...output.matchAll(/^([A-Z]+) +[a-z]/gm)].map(([, word]) => word ?? '');
    const order = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'];
    expect(new Set(severities).size).toBeGreaterThan(3);
    expect(severities).toEqual(severities.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  });

  it('cspm scan --local --summary and --format json give the verdict counts of each rule', async () => {
    const file = await fileOf('counts.ndjson', ndjson(OPEN_BUCKET));
    const args = ['--profile', 'storage', '--fail-on', 'never'];
    const table = await cspm(['scan', '--local', file, ...args, '--summary']);
    expect(table.code).toBe(0);
    expect(table.output).toMatch(/^rule +PASS +FAIL +UNKNOWN +NA$/m);
    expect(table.output).toMatch(/^bucket-public +0 +1 +0 +0$/m);
    const { output } = await cspm(['scan', '--local', file, ...args, '--format', 'json']);
    const report = JSON.parse(output);
    expect(report).toMatchObject({ file: 'counts.ndjson', profile: 'storage', assets: 1 });
    const verdicts = ['pass', 'fail', 'unknown', 'na'] as const;
    for (const verdict of verdicts) {
      const counts = report.rules.map((rule: Record<string, number>) => rule[verdict]);
      expect(counts.reduce((a: number, b: number) => a + b)).toBe(report.totals[verdict]);
    }
    expect(report.rules).toContainEqual({
      ruleId: 'bucket-public',
      pass: 0,
      fail: 1,
      unknown: 0,
      na: 0,
    });
    expect(report.findings.map((one: { ruleId: string }) => one.ruleId)).toContain('bucket-public');
    const sarif = await cspm(['scan', '--local', file, ...args, '--format', 'sarif', '--summary']);
    expect(JSON.parse(sarif.output).version).toBe('2.1.0');
    expect(sarif.messages).toMatch(/^all rules +\d+ +\d+ +\d+ +\d+$/m);
  });

  const QUEUE = {
    address: 'google_cloud_tasks_queue.jobs',
    mode: 'managed',
    type: 'google_cloud_tasks_queue',
    values: { name: 'jobs', location: 'europe-west1' },
  };
  const BUCKET_RESOURCE = {
    address: 'google_storage_bucket.site',
    mode: 'managed',
    type: 'google_storage_bucket',
    values: { name: 'site', location: 'EU' },
  };
  const planWith = (...resources: readonly object[]) =>
    JSON.stringify({ format_version: '1.2', planned_values: { root_module: { resources } } });

  it('cspm scan --local exits with 2 for a plan without an asset that a rule can evaluate, and lists the skipped resources', async () => {
    const file = await fileOf('queue.json', planWith(QUEUE));
    const report = join(folder, 'queue-report.json');
    const { code, messages } = await cspm(['scan', '--local', file, '--output', report]);
    expect(code).toBe(2);
    expect(messages).toContain('no asset that a rule can evaluate, so nothing was scanned');
    expect(messages).toContain('google_cloud_tasks_queue.jobs: no rule examines this type');
    await expect(readFile(report)).rejects.toThrow('ENOENT');
  });

  it('cspm scan --local exits with 2 for an export without records', async () => {
    const { code, messages } = await cspm(['scan', '--local', await fileOf('none.ndjson', '\n')]);
    expect(code).toBe(2);
    expect(messages).toContain('nothing was scanned');
  });

  it('cspm scan --local lists skipped plan resources and assets without a rule', async () => {
    const plan = await fileOf('mixed.json', planWith(BUCKET_RESOURCE, QUEUE));
    const planned = await cspm(['scan', '--local', plan, '--format', 'json']);
    expect(planned.messages).toContain('Skipped 1 Terraform resource:\n  google_cloud_tasks_queue');
    expect(JSON.parse(planned.output).skipped).toEqual([
      { address: QUEUE.address, type: QUEUE.type, reason: expect.stringContaining('no rule') },
    ]);
    const thing = { name: '//example.com/it', asset_type: 'example.com/Thing' };
    const file = await fileOf('thing.ndjson', ndjson([...OPEN_BUCKET, thing]));
    const exported = await cspm(['scan', '--local', file, '--format', 'json']);
    expect(exported.messages).toContain('No rule evaluates 1 asset:\n  example.com/Thing: 1');
    const narrow = await cspm(['scan', '--local', file, '--profile', 'gke']);
    expect(narrow.messages).toContain('this profile do not evaluate 1 other asset.');
    expect(JSON.parse(exported.output).notEvaluated).toEqual([
      { type: 'example.com/Thing', count: 1, reason: 'no_rule' },
    ]);
  });
});
