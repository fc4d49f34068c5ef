import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { codeSpan } from './markdown.ts';
import { type PlanReport, planComment } from './plan-report.ts';
import { commandLine } from './testing/command-line.ts';

const SAMPLE = fileURLToPath(new URL('../samples/shop-prod.ndjson', import.meta.url));

const firewall = (name: string, range: string) => ({
  name,
  project: 'shop-prod',
  network: 'default',
  direction: 'INGRESS',
  source_ranges: [range],
  allow: [{ protocol: 'tcp', ports: ['22'] }],
});

interface Change {
  readonly address: string;
  readonly actions: readonly string[];
  readonly before?: object;
  readonly after?: object;
  readonly unknown?: object;
}

function planOf(...changes: readonly Change[]): string {
  const described = changes.map(({ address, actions, before, after, unknown }) => ({
    address,
    mode: 'managed',
    type: 'google_compute_firewall',
    name: address.slice(address.indexOf('.') + 1),
    values: after,
    change: { actions, before: before ?? null, after: after ?? null, after_unknown: unknown ?? {} },
  }));
  const resources = described.filter(({ values }) => values !== undefined);
  return JSON.stringify({
    format_version: '1.2',
    planned_values: { root_module: { resources } },
    resource_changes: described,
  });
}

const OPENED: Change = {
  address: 'google_compute_firewall.new',
  actions: ['create'],
  after: firewall('new-ssh', '0.0.0.0/0'),
};
const DELETED: Change = {
  address: 'google_compute_firewall.old',
  actions: ['delete'],
  before: firewall('default-allow-ssh', '0.0.0.0/0'),
};
const KEPT: Change = {
  address: 'google_compute_firewall.rdp',
  actions: ['no-op'],
  before: firewall('vendor-support', '0.0.0.0/0'),
  after: firewall('vendor-support', '0.0.0.0/0'),
};
const OPEN: Change = {
  address: 'google_compute_firewall.ipv6',
  actions: ['update'],
  before: firewall('allow-ssh-ipv6', '::/0'),
  after: { ...firewall('allow-ssh-ipv6', ''), source_ranges: undefined },
  unknown: { source_ranges: true },
};

describe('cspm scan --plan', () => {
  const cspm = commandLine();
  let server: TestServer;
  let environment: Record<string, string>;
  let folder: string;

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    const user = await server.people.user();
    environment = { CSPM_URL: server.url, CSPM_API_KEY: user.key['x-api-key'] };
    folder = await mkdtemp(join(tmpdir(), 'cspm-plan-'));
    const args = ['--create', '--inventory', SAMPLE, '--fail-on', 'never'];
    const done = await cspm(['scan', '--project', 'shop', ...args], { environment });
    expect(done.messages).toContain('Scan completed');
  });

  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  async function compare(changes: readonly Change[], ...args: readonly string[]) {
    const file = join(folder, 'plan.json');
    await writeFile(file, planOf(...changes));
    return await cspm(['scan', '--plan', file, '--against', 'shop', ...args], { environment });
  }

  it('cspm scan --plan prints what the plan adds, resolves and leaves open, and nothing that it does not change', async () => {
    const { code, output, messages } = await compare([OPENED, DELETED, KEPT, OPEN]);
    const [added = '', resolved = '', undecided = ''] = output.split(
      /^(?=The plan would r|\d+ v)/m,
    );
    expect(added).toMatch(/^The plan would add \d+ findings?:$/m);
    expect(added).toMatch(
      /^HIGH {6}fw-ssh-world {2}\/\/compute\S+\/new-ssh {2}\(google_compute_firewall\.new\)$/m,
    );
    expect(resolved).toMatch(/^HIGH {6}fw-ssh-world {2}\/\/compute\S+\/default-allow-ssh$/m);
    expect(undecided).toMatch(
      /^UNKNOWN {3}fw-ssh-world {2}\/\/compute\S+\/allow-ssh-ipv6 {2}\(1 open finding\)$/m,
    );
    expect(undecided).toContain('known after apply only');
    expect(resolved).not.toContain('allow-ssh-ipv6');
    expect(output).not.toContain('vendor-support');
    expect(messages).toMatch(/with shop: \d+ added, \d+ resolved, \d+ known only after apply\./);
    expect(code).toBe(1);
  });

  it('cspm scan --plan --fail-on counts only what the plan would add', async () => {
    expect((await compare([DELETED, KEPT, OPEN])).code).toBe(0);
    expect((await compare([OPENED], '--fail-on', 'critical')).code).toBe(0);
    expect((await compare([OPENED], '--fail-on', 'never')).code).toBe(0);
    expect((await compare([KEPT])).output).toBe('The plan adds and resolves no finding of shop.\n');
  });

  it('cspm scan --plan --format sarif writes only what the plan would add', async () => {
    const { output } = await compare([OPENED, DELETED, KEPT, OPEN], '--format', 'sarif');
    const { version, runs } = JSON.parse(output);
    expect(version).toBe('2.1.0');
    const uris = runs[0].results.map(
      (result: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
        result.locations[0]?.physicalLocation.artifactLocation.uri,
    );
    expect(new Set(uris)).toEqual(
      new Set(['compute.googleapis.com/projects/shop-prod/global/firewalls/new-ssh']),
    );
  });

  it('cspm scan --plan --format markdown writes a comment in which text of the plan is never markup', async () => {
    const name = 'x` @admin <img src=x> [a](https://evil.example) \u001b[2J\n# b | \u202e';
    const evil = { ...OPENED, after: { ...firewall(name, '0.0.0.0/0') } };
    const file = join(folder, 'comment.md');
    const args = ['--format', 'markdown', '--output', file];
    const { code, output } = await compare([evil, DELETED, OPEN], ...args);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    const comment = await readFile(file, 'utf8');
    expect(comment).toMatch(
      /^<!-- cspm scan --plan -->\n### cspm: Terraform plan against `shop`$/m,
    );
    for (const title of ['Would be added', 'Would be resolved', 'Known only after apply']) {
      expect(comment).toContain(`\n#### ${title}\n`);
    }
    expect(comment).not.toContain('\u001b');
    expect(comment).not.toContain('\u202e');
    const outside = comment.replace(/(`+)(?!`).+?(?<!`)\1(?!`)/g, '');
    expect(outside).not.toMatch(/evil|@admin|<img|`/);
    expect(comment.match(/^#+ .*/gm)).toHaveLength(4);
  });

  it('cspm scan --plan replaces terminal escape sequences in names of the plan', async () => {
    const evil = { ...OPENED, after: firewall('\u001b[2Jgone', '0.0.0.0/0') };
    const { output, messages } = await compare([evil]);
    expect(output).toContain('?[2Jgone');
    expect(output + messages).not.toContain('\u001b');
  });

  it('cspm scan --plan exits with 2 for an unknown project and for a file that is not a plan', async () => {
    const file = join(folder, 'known.json');
    await writeFile(file, planOf(OPENED));
    const args = ['scan', '--plan', file, '--against', 'shpo'];
    const unknown = await cspm(args, { environment });
    expect(unknown).toMatchObject({ code: 2, output: '' });
    expect(unknown.messages).toContain('--against: there is no project "shpo".\n  Projects: shop.');
    const state = join(folder, 'state.json');
    await writeFile(state, JSON.stringify({ format_version: '1.0', values: { root_module: {} } }));
    for (const other of [state, SAMPLE]) {
      const refused = await cspm(['scan', '--plan', other, '--against', 'shop'], { environment });
      expect(refused).toMatchObject({ code: 2, output: '' });
      expect(refused.messages).toContain('This is not a Terraform plan.');
    }
  });

  it.each([
    [['--plan', 'p.json'], '--plan needs --against with a project.'],
    [['--local', SAMPLE, '--against', 'shop'], '--against needs --plan'],
    [['--local', SAMPLE, '--format', 'markdown'], '--format markdown needs --plan'],
    [['--plan', 'p.json', '--against', 'shop', '--format', 'csv'], 'table, sarif, markdown.'],
    [
      ['--plan', 'p.json', '--against', 'shop', '--only-new'],
      '--only-new cannot be combined with --plan',
    ],
    [
      ['--plan', 'p.json', '--against', 'shop', '--fixes', 'f.json'],
      '--fixes cannot be combined with --plan',
    ],
    [['--local', 'a.ndjson', '--create'], '--create needs --project'],
    [['--local', 'a.ndjson', '--inventory', 'b.ndjson'], '--inventory needs --project'],
    [['--plan', 'p.json', '--against', 'shop'], `--plan: cannot read ${resolve('p.json')}: there`],
  ])('cspm scan --plan exits with 2 and names the mistake: %j', async (args, words) => {
    const { code, output, messages } = await cspm(['scan', ...args], { environment });
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(messages).toContain(words);
  });
});

describe('a comment for a pull request', () => {
  it('a pull request comment stays within the length that GitHub accepts and says how much it left out', () => {
    const asset = { name: 'n'.repeat(500), type: 't' };
    const undecided = Array.from({ length: 1_000 }, (_, at) => ({
      asset,
      address: null,
      ruleId: `rule-${at}`,
      reason: '`'.repeat(400),
      open: 0,
    }));
    const report: PlanReport = {
      file: 'plan.json',
      project: 'shop',
      added: [],
      resolved: [],
      undecided,
      notes: ['Skipped'],
    };
    const comment = planComment(report);
    expect(comment.length).toBeLessThan(65_536);
    expect(comment).toMatch(/^- and \d+ more$/m);
  });

  it.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['a\nb', '`a?b`'],
    ['', '` `'],
  ])('a pull request comment writes %j as the code span %s', (text, span) => {
    expect(codeSpan(text)).toBe(span);
  });
});
