import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scaffold } from './command.ts';
import { FILL_IN } from './draft.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The files that the recipes edit. */
const EDITED = [
  'contract/index.ts',
  'contract/mutes.ts',
  'contract/roles.ts',
  'contract/audit.ts',
  'contract/policy.ts',
  'server/handlers.ts',
  'server/modules/findings/mute-handlers.ts',
  'server/modules/roles/handlers.ts',
  'server/modules/audit/handlers.ts',
  'tests/kit/contract-cases.ts',
  'tests/kit/identity-cases.ts',
  'prisma/schema.prisma',
  'server/platform/database/grants.ts',
  'server/platform/database/row-level-security.test.ts',
  'server/platform/database/roles.test.ts',
  'scanner/rules/catalogue.ts',
  'scanner/rules/catalogue.cases.ts',
  'scanner/testing/terraform-attributes.ts',
  'samples/shop-prod.test.ts',
  'CHANGELOG.md',
];

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cspm-new-'));
  for (const file of EDITED) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await cp(join(ROOT, file), join(root, file));
  }
});

afterEach(() => rm(root, { recursive: true }));

async function run(command: string) {
  const output: string[] = [];
  const formatted: string[] = [];
  const code = await scaffold(command.split(' '), {
    root,
    now: new Date('2030-01-02T03:04:05Z'),
    format: async (files) => {
      formatted.push(...files);
    },
    print: (line) => output.push(line),
    printError: (line) => output.push(line),
  });
  return { code, output: output.join('\n'), formatted };
}

const read = (file: string) => readFile(join(root, file), 'utf8');

/** The lines that a file has and its original does not. */
async function added(file: string): Promise<string[]> {
  const original = (await readFile(join(ROOT, file), 'utf8')).split('\n');
  const lines = (await read(file)).split('\n');
  expect(original.filter((line) => !lines.includes(line))).toEqual([]);
  return lines.filter((line) => !original.includes(line));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('npm run new -- rule', () => {
  it('npm run new -- rule writes the rule and its cases, and lists it in the catalogue, the sample and the Terraform table', async () => {
    const { code, output, formatted } = await run(
      'rule bucket-hold --member defaultEventBasedHold',
    );
    expect(code, output).toBe(0);
    const rule = await read('scanner/rules/bucket-hold.ts');
    expect(rule).toContain('export const bucketHold = resourceRule(');
    expect(rule).toContain("category: 'storage'");
    expect(rule).toContain("assetTypes: ['storage.googleapis.com/Bucket']");
    expect(rule).toMatch(/Fields: storage v1, discovery revision \d+\./);
    expect(await read('scanner/rules/bucket-hold.cases.ts')).toContain(FILL_IN);
    expect(await added('scanner/rules/catalogue.ts')).toEqual([
      "import { bucketHold } from './bucket-hold.ts';",
      '  bucketHold,',
    ]);
    expect(await added('scanner/rules/catalogue.cases.ts')).toEqual([
      "import { BUCKET_HOLD_CASES } from './bucket-hold.cases.ts';",
      '  ...BUCKET_HOLD_CASES,',
    ]);
    expect(await added('scanner/testing/terraform-attributes.ts')).toEqual([
      "    'defaultEventBasedHold': 'default_event_based_hold',",
    ]);
    expect(await added('samples/shop-prod.test.ts')).toEqual([
      expect.stringContaining(`  'bucket-hold': ['${FILL_IN}`),
    ]);
    expect(await added('CHANGELOG.md')).toEqual(['- Rule `bucket-hold`.']);
    expect(formatted).toContain('scanner/rules/bucket-hold.ts');
  });

  const BEFORE = '## Unreleased\n\n### Before you upgrade\n\n- **Order**: migrate.\n\n';
  const AFTER = '### Changed\n\n- Texts.\n\n## 0.1.0 - 2026-11-23\n\n### Added\n\n- All of it.\n';
  const RULE = '- Rule `bucket-hold`.\n';
  it.each([
    [
      'in the group for rules',
      ['### Added\n\n#### API\n\n- A.\n\n#### Rules and verdicts\n\n', RULE, '- B.\n\n'],
    ],
    [
      'in a new group before the others',
      ['### Added\n\n', `#### Rules and verdicts\n\n${RULE}\n`, '#### API\n\n- A.\n\n'],
    ],
    ['in the list of a part without groups', ['### Added\n\n', RULE, '- A.\n\n']],
    ['in a new part', ['', `### Added\n\n#### Rules and verdicts\n\n${RULE}\n`, '']],
  ] as const)(
    'npm run new -- rule adds its line under "Added" of the unreleased changes, %s',
    async (_what, [start, line, end]) => {
      await writeFile(join(root, 'CHANGELOG.md'), `${BEFORE}${start}${end}${AFTER}`);
      const { code, output } = await run('rule bucket-hold --member defaultEventBasedHold');
      expect(code, output).toBe(0);
      expect(await read('CHANGELOG.md')).toBe(`${BEFORE}${start}${line}${end}${AFTER}`);
    },
  );

  it('npm run new -- rule adds its line to an empty block of unreleased changes', async () => {
    await writeFile(join(root, 'CHANGELOG.md'), '## Unreleased\n\n## 0.1.0 - 2026-11-23\n');
    await run('rule bucket-hold --member defaultEventBasedHold');
    expect(await read('CHANGELOG.md')).toBe(
      `## Unreleased\n\n### Added\n\n#### Rules and verdicts\n\n${RULE}\n## 0.1.0 - 2026-11-23\n`,
    );
  });

  it('npm run new -- rule says when the table of Google members must be extended for the member', async () => {
    const { code, output } = await run(
      'rule bucket-soft-delete --member softDeletePolicy.retentionDurationSeconds',
    );
    expect(code).toBe(0);
    expect(output).toContain('npm run google-fields');
  });

  it.each([
    ['rule Bucket', 'Bucket is not a rule id', 'bucket-soft-delete'],
    ['rule bucket-public', 'bucket-public already exists', 'Choose another id'],
    ['rule zebra-stripes', 'No rule begins with zebra-', 'Add --type'],
    ['rule bucket-x --type example.com/Thing', 'not known', 'google-schemas.ts'],
    ['rule bucket-x --member colour', 'has no member colour', 'Correct --member'],
    ['rule bucket-x --module scans', '--module is not an option of rule', 'Usage'],
  ])('npm run new -- rule refuses "%s" with the remedy, and writes nothing', refuses);
});

describe('npm run new -- endpoint', () => {
  it('npm run new -- endpoint writes the route of a read, its handler, example and test', async () => {
    const { code, output } = await run('endpoint mutes.get');
    expect(code, output).toBe(0);
    const route = (await added('contract/mutes.ts')).join('\n');
    expect(route).toContain('get: {');
    expect(route).toContain("permission: 'findings.read', idempotency: 'safe', tx: 'read'");
    expect(await added('server/modules/findings/mute-handlers.ts')).toContain('  async get() {');
    expect(await added('tests/kit/contract-cases.ts')).toEqual(['    get: { params: byMute },']);
    const test = await read('server/modules/findings/mute-get.test.ts');
    expect(test).toContain("from '../../../tests/kit/test-server.ts'");
    expect(test).toContain("const path = '/mutes/:id';");
    expect(test).toContain(`// ${FILL_IN}: replace each :parameter`);
  });

  it("npm run new -- endpoint writes the audit action of a change, with the permission of the resource's other changes", async () => {
    const { code, output } = await run('endpoint mutes.archive --audit mute.archived');
    expect(code, output).toBe(0);
    const route = (await added('contract/mutes.ts')).join('\n');
    expect(route).toContain("path: '/mutes/:id/archive'");
    expect(route).toContain("permission: 'findings.mute', idempotency: 'accepted'");
    expect(await added('contract/policy.ts')).toEqual(["  'mute.archived',"]);
  });

  it('npm run new -- endpoint adds an example of an identity to the file of the identities, and names it', async () => {
    const { code, output } = await run('endpoint roles.get');
    expect(code, output).toBe(0);
    expect(await added('tests/kit/identity-cases.ts')).toEqual(['    get: { params: byRole },']);
    expect(output).toContain('tests/kit/identity-cases.ts');
  });

  it('npm run new -- endpoint adds an example to a resource that has its examples on one line', async () => {
    const { code, output } = await run('endpoint auditEvents.get');
    expect(code, output).toBe(0);
    expect((await read('tests/kit/contract-cases.ts')).replaceAll(/\s+/g, ' ')).toContain(
      `auditEvents: { get: { params: async () => ({ id: '${FILL_IN}' }) }, list: {}`,
    );
  });

  it.each([
    ['endpoint mutes', 'mutes is not an operation', '<resource>.<operation>'],
    ['endpoint clouds.list', 'There is no resource clouds', 'contract/clouds.ts'],
    ['endpoint mutes.list', 'mutes.list already exists', 'Choose another name'],
    ['endpoint mutes.all --method GET --path /mutes', 'is mutes.list already', 'Choose another'],
    ['endpoint mutes.archive', 'needs an action of the audit trail', 'Add --audit'],
    ['endpoint mutes.get --audit mute.read', 'A GET changes nothing', 'Leave out --audit'],
    ['endpoint mutes.get --method LOOK', 'LOOK is not a method', 'Use --method'],
    ['endpoint mutes.get --path mutes', 'mutes is not a path', '--path /mutes/:id'],
  ])('npm run new -- endpoint refuses "%s" with the remedy, and writes nothing', refuses);
});

describe('npm run new -- table', () => {
  beforeEach(async () => {
    await mkdir(join(root, 'server/modules/scans'), { recursive: true });
  });

  it('npm run new -- table writes the model, a migration with row-level security, the grants and a test', async () => {
    const { code, output } = await run('table scan_labels --module scans');
    expect(code, output).toBe(0);
    expect(await added('prisma/schema.prisma')).toContain('model ScanLabel {');
    const migration = await read('prisma/migrations/20300102030405_scan_labels/migration.sql');
    expect(migration).toContain('CREATE TABLE "scan_labels"');
    expect(migration).toContain('PRIMARY KEY ("tenant_id","id")');
    for (const statement of ['ENABLE ROW LEVEL', 'FORCE ROW LEVEL', 'CREATE POLICY']) {
      expect(migration).toContain(statement);
    }
    expect(await added('server/platform/database/grants.ts')).toEqual([
      "  scan_labels: 'SELECT, INSERT, UPDATE, DELETE',",
    ]);
    expect(await added('server/platform/database/row-level-security.test.ts')).toEqual([
      "  'scan_labels',",
    ]);
    expect(await added('server/platform/database/roles.test.ts')).toEqual([
      "      'public.scan_labels': 'SELECT INSERT UPDATE DELETE',",
    ]);
    expect(await read('server/modules/scans/scan-labels.test.ts')).toContain('db.prisma.scanLabel');
  });

  it.each([
    ['table ScanLabels --module scans', 'ScanLabels is not a table name', 'scan_labels'],
    ['table label --module scans', 'label is not a table name', 'plural'],
    ['table mutes --module scans', 'already has the table mutes', 'Choose another name'],
    ['table labels', 'Name the module', '--module scans'],
    ['table labels --module clouds', 'Name the module', 'create it first'],
  ])('npm run new -- table refuses "%s" with the remedy, and writes nothing', refuses);
});

it.each(['', 'rule', 'page x', 'rule a-b c', 'rule a-b --colour red'])(
  'npm run new refuses "%s" with the usage',
  async (command) => {
    await refuses(command, 'Usage: npm run new', 'CONTRIBUTING.md');
  },
);

it('npm run new names the file and the text to add when it cannot find the place', async () => {
  await writeFile(join(root, 'scanner/rules/catalogue.ts'), 'export const RULES = [];\n');
  await refuses('rule bucket-x', 'in scanner/rules/catalogue.ts', 'import { bucketX } from');
});

async function refuses(command: string, fault: string, remedy: string) {
  const before = await filesBelow(root);
  const { code, output, formatted } = await run(command);
  expect(code).toBe(2);
  expect(output).toContain(fault);
  expect(output).toContain(remedy);
  expect(await filesBelow(root)).toEqual(before);
  expect(formatted).toEqual([]);
}
