import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VIEWER } from '../tests/kit/google/asset-inventory.ts';
import { FakeGoogle } from '../tests/kit/google/fake-google.ts';
import { commandLine } from './testing/command-line.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));
const PARENT = 'projects/shop-prod';
const USER = 'ada@shop.example';

const cspm = commandLine();
let google: FakeGoogle;
let folder: string;
let environment: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cspm-pull-'));
  google = await FakeGoogle.start();
  await google.serveFile(PARENT, SAMPLE);
  google.inventory.grant(USER, PARENT, [...VIEWER, 'serviceusage.services.use']);
  const credentials = join(folder, 'credentials.json');
  await writeFile(credentials, JSON.stringify(google.identities.user(USER, null)));
  environment = { ...google.environment, GOOGLE_APPLICATION_CREDENTIALS: credentials };
});

afterEach(async () => {
  await google.close();
  await rm(folder, { recursive: true });
});

const pullTo = (file: string) =>
  cspm(['inventory', 'pull', '--parent', PARENT, '--output', file], { environment });

/** The findings of a scan without what differs between two runs and two names of one inventory. */
async function findingsOf(...args: string[]): Promise<unknown[]> {
  const { output, messages } = await cspm(['scan', ...args, '--format', 'ndjson'], { environment });
  expect(messages).toContain('Scanned');
  return output
    .trim()
    .split('\n')
    .map((line) => ({ ...JSON.parse(line), project: '', firstSeenAt: '', lastSeenAt: '' }));
}

describe('cspm inventory pull', () => {
  it('cspm inventory pull writes a gzipped export that only its owner may read', async () => {
    const file = join(folder, 'inventory.ndjson.gz');
    const { code, output, messages } = await pullTo(file);
    expect({ code, output }).toEqual({ code: 0, output: '' });
    expect(messages).toMatch(
      /^Pulled \d+ records of projects\/shop-prod in 3 pages, as of \S+Z\.$/m,
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const lines = gunzipSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines.every((line) => typeof JSON.parse(line).assetType === 'string')).toBe(true);
  });

  it('a pull, scanned from its file or directly, gives the findings of the exported file', async () => {
    const file = join(folder, 'inventory.ndjson.gz');
    await pullTo(file);
    const exported = await findingsOf('--local', SAMPLE);
    expect(exported.length).toBeGreaterThan(50);
    expect(await findingsOf('--local', file)).toEqual(exported);
    expect(await findingsOf('--gcp', PARENT)).toEqual(exported);
  });

  it('cspm inventory pull writes to standard output without --output', async () => {
    const { output } = await cspm(['inventory', 'pull', '--parent', PARENT], { environment });
    expect(output.split('\n').length).toBeGreaterThan(100);
    expect(() => JSON.parse(output.split('\n')[0] ?? '')).not.toThrow();
  });

  it('cspm inventory pull draws the number of records and the rate on an interactive terminal', async () => {
    const { messages } = await cspm(
      ['inventory', 'pull', '--parent', PARENT, '--output', join(folder, 'x.ndjson')],
      { environment, terminals: ['messages'] },
    );
    expect(messages).toMatch(/\d+ records, [\d,]+\/s/);
  });

  it('cspm inventory pull leaves no file behind when it is interrupted, and keeps the older one', async () => {
    const file = join(folder, 'inventory.ndjson');
    await writeFile(file, 'older\n');
    const interruption = new AbortController();
    google.misbehave = ({ query }) => {
      if (query.get('contentType') === 'IAM_POLICY') interruption.abort(new Error('Interrupted'));
      return null;
    };
    const pulling = cspm(['inventory', 'pull', '--parent', PARENT, '--output', file], {
      environment,
      interrupted: interruption.signal,
    });
    await expect(pulling).rejects.toThrow('Interrupted');
    expect((await readdir(folder)).toSorted()).toEqual(['credentials.json', 'inventory.ndjson']);
    expect(await readFile(file, 'utf8')).toBe('older\n');
  });

  it('cspm inventory pull reports missing permissions for policies, and rules that need them do not pass', async () => {
    google.inventory.grant(USER, PARENT, [...VIEWER.slice(0, 1), 'serviceusage.services.use']);
    const { code, messages } = await pullTo(join(folder, 'inventory.ndjson'));
    expect(code).toBe(0);
    expect(messages).toContain('The inventory is partial: it has no IAM_POLICY and ORG_POLICY');
    expect(messages).toContain('roles/cloudasset.viewer');
    const scanned = await cspm(['scan', '--gcp', PARENT, '--format', 'json'], { environment });
    expect(scanned.messages).toContain('The inventory is partial');
    const counts = JSON.parse(scanned.output).rules as {
      ruleId: string;
      pass: number;
      unknown: number;
    }[];
    const open = counts.find(({ ruleId }) => ruleId === 'bucket-public');
    expect(open).toMatchObject({ pass: 0 });
    expect(open?.unknown).toBeGreaterThan(0);
  });

  it('cspm scan --gcp without the permission for organization policies opens no finding that one of them might prevent', async () => {
    google.inventory.grant(USER, PARENT, [...VIEWER.slice(0, 2), 'serviceusage.services.use']);
    const { output } = await cspm(['scan', '--gcp', PARENT, '--format', 'json'], { environment });
    const counts = JSON.parse(output).rules as { ruleId: string; fail: number; unknown: number }[];
    const prevention = counts.find(({ ruleId }) => ruleId === 'bucket-public-access-prevention');
    expect(prevention).toMatchObject({ fail: 0 });
    expect(prevention?.unknown).toBeGreaterThan(0);
  });
});

describe('cspm scan --gcp', () => {
  it('cspm scan --gcp exits with 1 at or above --fail-on and names the project in the summary', async () => {
    const high = await cspm(['scan', '--gcp', PARENT], { environment });
    expect(high.code).toBe(1);
    expect(high.messages).toMatch(/^Scanned \d+ assets of projects\/shop-prod with \d+ rules/m);
    const never = await cspm(['scan', '--gcp', PARENT, '--fail-on', 'never'], { environment });
    expect(never.code).toBe(0);
  });

  it('cspm scan --gcp of a partial inventory exits with 3 without findings at or above --fail-on, and with 1 with them', async () => {
    google.inventory.grant(USER, PARENT, [...VIEWER.slice(0, 1), 'serviceusage.services.use']);
    const exits = async (...args: string[]) => {
      const outcome = await cspm(['scan', '--gcp', PARENT, ...args], { environment });
      expect(outcome.output).toMatch(/^CRITICAL|^HIGH|^MEDIUM/m);
      expect(outcome.messages).toContain('The inventory is partial');
      return outcome.code;
    };
    const below = ['--profile', 'storage', '--fail-on', 'critical'];
    expect(await exits(...below)).toBe(3);
    expect(await exits(...below, '--fail-on', 'never')).toBe(0);
    expect(await exits('--fail-on', 'high')).toBe(1);
  });

  it('cspm scan --gcp prints the remedy without credentials, without the API and without a permission', async () => {
    const remedies = async (variables: Record<string, string>) => {
      const { code, output, messages } = await cspm(['scan', '--gcp', PARENT], {
        environment: variables,
      });
      expect({ code, output }).toEqual({ code: 4, output: '' });
      return messages;
    };
    const { GOOGLE_APPLICATION_CREDENTIALS: _none, ...without } = environment;
    const nowhere = { ...without, HOME: folder, METADATA_SERVER_DETECTION: 'none' };
    expect(await remedies(nowhere)).toContain('gcloud auth application-default login');
    google.inventory.disableApi('shop-prod');
    expect(await remedies(environment)).toContain(
      'gcloud services enable cloudasset.googleapis.com --project shop-prod',
    );
    google.inventory.grant(USER, PARENT, []);
    expect(await remedies(environment)).toContain('roles/serviceusage.serviceUsageConsumer');
  });

  it('cspm scan --gcp refuses an invalid parent, endpoint or combination of options', async () => {
    const refused = async (args: string[], more: Record<string, string> = {}) => {
      const outcome = await cspm(args, { environment: { ...environment, ...more } });
      expect(outcome.code).toBe(2);
      return outcome.messages;
    };
    expect(await refused(['scan', '--gcp', 'shop-prod'])).toContain('projects/<id or number>');
    expect(await refused(['scan', '--gcp', PARENT, '--local', SAMPLE])).toContain(
      'Set exactly one of',
    );
    expect(await refused(['scan', '--gcp', PARENT, '--only-new'])).toContain('--only-new');
    expect(await refused(['inventory', 'pull'])).toContain('--parent');
    expect(await refused(['inventory', 'push'])).toContain('Unknown command "inventory push"');
    const { GOOGLE_ASSET_URL = '' } = environment;
    expect(
      await refused(['scan', '--gcp', PARENT], {
        GOOGLE_ASSET_URL,
        GOOGLE_ALLOW_LOOPBACK_HTTP: '',
      }),
    ).toContain('https://');
    expect(google.requests).toEqual([]);
  });
});
