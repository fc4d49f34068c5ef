import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../tests/kit/people.ts';
import { plantMutes } from '../tests/kit/planted-mutes.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { commandLine } from './testing/command-line.ts';

interface Resource {
  readonly type: string;
  readonly values: { readonly name: string; readonly [name: string]: unknown };
}

const firewall = (name: string, range = '0.0.0.0/0'): Resource => ({
  type: 'google_compute_firewall',
  values: {
    name,
    project: 'shop-prod',
    network: 'default',
    direction: 'INGRESS',
    source_ranges: [range],
    allow: [{ protocol: 'tcp', ports: ['22'] }],
  },
});

const bucket = (name: string, labels: Record<string, string> = {}): Resource => ({
  type: 'google_storage_bucket',
  values: { name, project: 'shop-prod', location: 'EU', labels },
});

/** A plan that creates the resources. */
function planOf(resources: readonly Resource[]): string {
  const described = resources.map(({ type, values }) => ({
    address: `${type}.${values.name}`,
    mode: 'managed',
    type,
    name: values.name,
    values,
  }));
  return JSON.stringify({
    format_version: '1.2',
    planned_values: { root_module: { resources: described } },
    resource_changes: described.map(({ values, ...resource }) => ({
      ...resource,
      change: { actions: ['create'], before: null, after: values, after_unknown: {} },
    })),
  });
}

interface Result {
  readonly ruleId: string;
  readonly locations: readonly [{ readonly logicalLocations: readonly [{ name: string }] }];
  readonly suppressions: readonly object[];
}

/** The suppressions of a SARIF document by rule and asset. */
function suppressionsIn(sarif: string): Map<string, readonly object[]> {
  const results: readonly Result[] = JSON.parse(sarif).runs[0].results;
  return new Map(
    results.map(({ ruleId, locations: [{ logicalLocations }], suppressions }) => [
      `${ruleId} ${logicalLocations[0].name}`,
      suppressions,
    ]),
  );
}

describe('mutes of findings that a Terraform plan would add', () => {
  const cspm = commandLine();
  let server: TestServer;
  let folder: string;
  let user: TestUser;
  let environment: Record<string, string>;

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    folder = await mkdtemp(join(tmpdir(), 'cspm-plan-mutes-'));
    user = await server.people.user();
    environment = keyOf(user);
  });

  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const keyOf = ({ key }: TestUser) => ({ CSPM_URL: server.url, CSPM_API_KEY: key['x-api-key'] });

  async function fileOf(resources: readonly Resource[]): Promise<string> {
    const file = join(folder, 'plan.json');
    await writeFile(file, planOf(resources));
    return file;
  }

  async function scan(project: string, resources: readonly Resource[]) {
    const options = ['--create', '--inventory', await fileOf(resources), '--format', 'sarif'];
    const done = await cspm(['scan', '--project', project, ...options], { environment });
    expect(done.messages).toContain('Scan completed');
    return done;
  }

  async function compare(
    project: string,
    resources: readonly Resource[],
    format: string,
    as = environment,
  ) {
    const options = ['--against', project, '--format', format, '--fail-on', 'low'];
    return await cspm(['scan', '--plan', await fileOf(resources), ...options], { environment: as });
  }

  async function mute(body: object): Promise<void> {
    const headers = user.key;
    const { status, text } = await server.call('/mutes', { method: 'POST', body, headers });
    expect({ status, text }).toMatchObject({ status: 201 });
  }

  it('cspm scan --plan mutes added findings by the same mutes as a scan of the same resources', async () => {
    const reopened = [firewall('ssh-reopened')];
    const { output } = await scan('shop', reopened);
    const [{ fingerprints }] = JSON.parse(output).runs[0].results.filter(
      ({ ruleId }: Result) => ruleId === 'fw-ssh-world',
    );
    await scan('shop', [firewall('ssh-reopened', '10.0.0.0/8')]);
    await scan('other', [bucket('elsewhere')]);
    await mute({ fingerprint: fingerprints['cspm/v1'], reason: 'one finding' });
    const days = (count: number) => new Date(server.clock.now().getTime() + count * 86_400_000);
    for (const [reason, selector, expiresAt] of [
      ['rule', { ruleId: 'bucket-versioning' }],
      ['rule, which ends later', { ruleId: 'bucket-versioning' }, days(300)],
      ['asset', { asset: '*/firewalls/ssh-*a*' }, days(200)],
      ['whole asset', { asset: '//storage.googleapis.com/logs' }],
      ['label', { label: 'temporary' }],
      ['label and value', { label: 'env=test=1' }],
      ['project and label', { project: 'shop', label: 'team=web' }],
      ['another project', { project: 'other' }],
      ['another rule', { ruleId: 'sql-public-ip', label: 'team=app' }],
      ['expired', { label: 'env=prod' }, days(1)],
    ] as const) {
      await mute({ reason, selector, ...(expiresAt && { expiresAt }) });
    }
    server.clock.advance({ days: 2 });
    // More mutes than a page has.
    await plantMutes(server.database, user.tenant.id, 120);

    const resources = [
      ...reopened,
      firewall('ssh-alpha'),
      firewall('ssh-x'),
      bucket('logs'),
      bucket('temporary', { temporary: '' }),
      bucket('test', { env: 'test=1' }),
      bucket('tester', { env: 'test=10' }),
      bucket('prod', { env: 'prod' }),
      bucket('web', { team: 'web' }),
      bucket('app', { team: 'app' }),
      bucket('own', { constructor: 'x' }),
    ];
    const planned = suppressionsIn((await compare('shop', resources, 'sarif')).output);
    await scan('shop', resources);
    // The SARIF of cspm leaves muted findings out.
    const exported = await server.call('/findings/export?format=sarif&project=shop', {
      headers: user.key,
    });
    const scanned = suppressionsIn(exported.text);
    expect(planned.size).toBeGreaterThan(resources.length);
    expect(new Set([...planned.values()].map((list) => JSON.stringify(list))).size).toBe(8);
    for (const [finding, suppressions] of planned) {
      expect([finding, suppressions]).toEqual([finding, scanned.get(finding)]);
    }
  });

  it.each([
    ['table', /^HIGH {6}fw-ssh-world {2}\S+ {2}\(google_compute_firewall\.ssh-world, muted\)$/m],
    ['markdown', /`fw-ssh-world` `\S+` \(`google_compute_firewall\.ssh-world`\), muted$/m],
    ['sarif', /"justification":"throw-away"/],
  ])(
    'cspm scan --plan --format %s marks an added finding as muted and does not fail on it',
    async (format, words) => {
      const project = `nightly-${format}`;
      await scan(project, [bucket('base')]);
      const added = [firewall('ssh-world')];
      expect((await compare(project, added, format)).code).toBe(1);
      await mute({ reason: 'throw-away', selector: { project } });
      const { code, output, messages } = await compare(project, added, format);
      expect(output).toMatch(words);
      expect(messages).toMatch(/: (\d+) added \(\1 muted\), /);
      expect(code).toBe(0);
    },
  );

  it('cspm scan --plan says that it leaves out mutes of single findings if the key may not read projects', async () => {
    await scan('guarded', [bucket('base')]);
    const role = ['findings.read'] as const;
    const reader = keyOf(await server.people.user({ tenant: user.tenant, role }));
    const added = [firewall('ssh-guarded')];
    await mute({ reason: 'throw-away', selector: { project: 'guarded' } });
    expect((await compare('guarded', added, 'table', reader)).messages).not.toContain('Mutes');
    await mute({ reason: 'one finding', fingerprint: '0'.repeat(64) });
    const { code, messages } = await compare('guarded', added, 'table', reader);
    expect(messages).toContain('Mutes of single findings were not read');
    expect(code).toBe(0);
  });
});
