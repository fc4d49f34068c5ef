import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeRecord } from '../release/write-record.ts';
import { checkBreaking } from './command.ts';
import { compareDocuments } from './compare.ts';
import { CORRECTIONS } from './corrections.ts';
import { RULES } from './rules.ts';

const OPENAPI = fileURLToPath(new URL('../../openapi.json', import.meta.url));

let root: string;
let changed: string;
let printed: string;
let complaints: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'breaking-'));
  await cp(OPENAPI, join(root, 'openapi.json'));
  changed = join(root, 'changed.json');
  const document = JSON.parse(await readFile(OPENAPI, 'utf8'));
  document.paths['/scans'].get['x-required-permission'] = 'admin.audit';
  document.paths['/scans'].get['x-audit-action'] = 'scans.listed';
  document.servers.push({ url: '/api/v2' });
  await writeFile(changed, JSON.stringify(document));
});

afterEach(() => rm(root, { recursive: true }));

function check(...args: string[]): Promise<number> {
  printed = '';
  complaints = '';
  return checkBreaking(args, {
    root,
    today: '2026-11-20',
    print: (text) => {
      printed += text;
    },
    printError: (text) => {
      complaints += text;
    },
  });
}

describe('the check', () => {
  test('the check for breaking changes passes for the committed document', async () => {
    expect(await check(OPENAPI)).toBe(0);
    expect(printed).toBe('No change that callers would notice.');
  });

  test('the check for breaking changes fails for a change that breaks callers, and lists the others too', async () => {
    expect(await check(OPENAPI, changed)).toBe(1);
    expect(printed).toBe(
      [
        'Breaking changes (1)',
        '  GET /scans',
        '    It requires the permission admin.audit, not scans.read. [permission-required]',
        '',
        'Potentially breaking changes (1)',
        '  GET /scans',
        '    In the audit trail it was nothing and is scans.listed. [audit-action-changed]',
        '',
        'Compatible changes (1)',
        '  the API as a whole',
        '    There is the base address /api/v2. [server-added]',
        '',
        '1 breaking change. docs/breaking-changes.md explains each rule.',
      ].join('\n'),
    );
  });

  test('the check for breaking changes passes if no change breaks callers', async () => {
    const document = JSON.parse(await readFile(changed, 'utf8'));
    document.paths['/scans'].get['x-required-permission'] = 'scans.read';
    await writeFile(changed, JSON.stringify(document));
    expect(await check(OPENAPI, changed)).toBe(0);
    expect(printed).toMatch(/^Potentially breaking changes \(1\).*No breaking change\.$/s);
  });

  test('the check for breaking changes prints JSON for programs', async () => {
    expect(await check(OPENAPI, changed, '--format', 'json')).toBe(1);
    const { changes, ...counts } = JSON.parse(printed);
    expect(counts).toEqual({ breaking: 1, corrections: 0, warnings: 1, infos: 1 });
    expect(changes).toContainEqual({
      rule: 'permission-required',
      level: 'breaking',
      breaks: true,
      operation: 'GET /scans',
      place: '',
      message: 'It requires the permission admin.audit, not scans.read.',
      meaning: RULES['permission-required'].meaning,
    });
  });

  test.each([
    [[], 'The base document is missing.'],
    [['a', 'b', 'c'], 'Two documents are compared, not more.'],
    [['nowhere.json'], 'nowhere.json cannot be read.'],
    [[fileURLToPath(import.meta.url)], 'is not JSON.'],
    [
      [fileURLToPath(new URL('../../package.json', import.meta.url))],
      'is not an OpenAPI 3 document.',
    ],
    [[OPENAPI, '--format', 'xml'], 'There is no format "xml".'],
    [[OPENAPI, '--loud'], "Unknown option '--loud'"],
  ])(
    'the check for breaking changes prints its usage for the arguments %j',
    async (args, complaint) => {
      expect(await check(...args)).toBe(2);
      expect(complaints).toContain(complaint);
      expect(complaints).toContain('Usage: npm run check:breaking -- <base openapi.json>');
      expect(printed).toBe('');
    },
  );

  test('the check for breaking changes fails for a truncated document', async () => {
    const document = JSON.parse(await readFile(changed, 'utf8'));
    delete document.components.schemas.Scan;
    await writeFile(changed, JSON.stringify(document));
    expect(await check(OPENAPI, changed)).toBe(2);
    expect(complaints).toBe('Reference #/components/schemas/Scan has no target.');
  });
});

describe('since the last release', () => {
  const record = (version: string) => writeRecord(root, version, '2026-11-20', '');

  beforeEach(async () => {
    await mkdir(join(root, 'sdk/dist'), { recursive: true });
    await writeFile(join(root, 'sdk/dist/index.d.ts'), '');
    await mkdir(join(root, 'prisma/migrations'), { recursive: true });
  });

  test('the check since the last release fails with the remedy when no release is recorded', async () => {
    expect(await check('--since-release', changed)).toBe(2);
    expect(complaints).toContain('There is no record of a release in release/.');
    expect(complaints).toContain('npm run release -- --record-only');
    expect(printed).toBe('');
  });

  test('the check since the last release compares with the document of the newest record', async () => {
    await record('0.9.0');
    expect(await check('--since-release')).toBe(0);
    expect(await check('--since-release', changed)).toBe(1);
    expect(complaints).toBe('Since 0.9.0:');

    await cp(changed, join(root, 'openapi.json'));
    expect(await check('--since-release')).toBe(1);
    await record('0.10.0');
    expect(await check('--since-release')).toBe(0);
    expect(complaints).toBe('Since 0.10.0:');
  });

  test('the check since the last release lists corrections of its document apart, and fails for other changes of the same kind', async () => {
    const document = JSON.parse(await readFile(OPENAPI, 'utf8'));
    document.paths['/views'].post['x-credentials'].push('master_key');
    document.paths['/views'].get['x-credentials'].push('robot');
    const present = join(root, 'openapi.json');
    await writeFile(present, JSON.stringify(document));
    await record('0.1.0');
    await cp(OPENAPI, present);
    expect(await check('--since-release')).toBe(1);
    expect(printed).toContain('Breaking changes (1)\n  GET /views\n');
    expect(printed).toContain('Corrections of the document (1)\n  POST /views\n');
    expect(printed).toContain('    Not breaking: The server of 0.1.0 refused');
    // The same change since another release is no correction.
    await writeFile(present, JSON.stringify(document));
    await record('0.2.0');
    await cp(OPENAPI, present);
    expect(await check('--since-release')).toBe(1);
    expect(printed).toContain('Breaking changes (2)');
  });

  test('every listed correction is a change between a recorded release and the present document', async () => {
    const present = JSON.parse(await readFile(OPENAPI, 'utf8'));
    for (const { release, operation, changes } of CORRECTIONS) {
      const path = new URL(`../../release/${release}/openapi.json`, import.meta.url);
      const base = JSON.parse(await readFile(path, 'utf8'));
      const found = compareDocuments(base, present, '2026-11-26')
        .filter((change) => change.operation === operation)
        .map(({ rule, message }) => [rule, message]);
      for (const change of changes) expect(found).toContainEqual(change);
    }
  });

  test('the check since the last release fails for a record that was edited', async () => {
    await record('1.0.0');
    await cp(changed, join(root, 'release/1.0.0/openapi.json'));
    expect(await check('--since-release', changed)).toBe(2);
    expect(complaints).toContain('release/1.0.0/openapi.json differs from its digest');
  });
});
