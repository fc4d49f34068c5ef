import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Findings, findViolations, RULES } from './boundaries.ts';

/** For each rule, a file that violates it with one import. */
const PLANTED: Record<string, readonly [from: string, to: string]> = {
  'contract-imports-zod-and-ts-rest-only': ['contract/planted.ts', 'node_modules/express'],
  'scanner-is-a-pure-library': ['scanner/planted.ts', 'node_modules/pg'],
  'google-cloud-imports-the-scanner-only': ['google-cloud/planted.ts', 'server/platform/leaf.ts'],
  'google-auth-library-stays-in-google-cloud': [
    'cli/uses-auth.ts',
    'node_modules/google-auth-library',
  ],
  'sdk-imports-no-package': ['sdk/src/planted.ts', 'node_modules/zod'],
  'sdk-subpaths-import-their-packages-only': ['sdk/src/mock/planted.ts', 'server/platform/leaf.ts'],
  'sdk-client-imports-no-subpath': ['sdk/src/uses-subpath.ts', 'sdk/src/upload/leaf.ts'],
  'server-does-not-import-the-sdk': ['server/http/uses-sdk.ts', 'sdk/src/leaf.ts'],
  'cli-imports-sdk-and-scanner-only': ['cli/planted.ts', 'server/platform/leaf.ts'],
  'http-does-not-import-modules': ['server/http/planted.ts', 'server/modules/a/index.ts'],
  'modules-import-modules-and-platform-only': [
    'server/modules/a/uses-http.ts',
    'server/http/leaf.ts',
  ],
  'modules-import-other-modules-by-index-or-queries': [
    'server/modules/a/planted.ts',
    'server/modules/b/inner.ts',
  ],
  'platform-imports-platform-only': ['server/platform/planted.ts', 'server/modules/a/index.ts'],
  'development-code-stays-apart': ['server/modules/a/uses-dev.ts', 'server/development/leaf.ts'],
  'ts-rest-stays-in-contract-and-http': [
    'server/platform/rest.ts',
    'node_modules/@ts-rest/express',
  ],
  'console-imports-the-sdk-only': ['console/src/planted.ts', 'contract/leaf.ts'],
  'console-screens-stay-apart': [
    'console/src/screens/a/planted.ts',
    'console/src/screens/b/inner.ts',
  ],
  'workspaces-by-name': ['server/platform/by-path.ts', 'contract/leaf.ts'],
  'tests-are-not-imported': ['server/platform/uses-test.ts', 'server/platform/leaf.test.ts'],
  'no-cycles': ['server/platform/first.ts', 'server/platform/second.ts'],
  'nothing-unresolved': ['server/platform/broken.ts', 'server/platform/missing.ts'],
};

let root: string;
let findings: Findings;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cspm-boundaries-'));
  for (const [from, to] of Object.values(PLANTED)) {
    if (to.startsWith('node_modules/')) {
      await write(`${to}/package.json`, '{"main":"index.js"}');
      await write(`${to}/index.js`, 'module.exports = {};');
    } else if (!to.endsWith('missing.ts') && !to.endsWith('second.ts')) {
      await write(to, 'export interface Planted {}\n');
    }
    await write(from, importOf(from, to));
  }
  await write(
    'server/platform/second.ts',
    importOf('server/platform/second.ts', 'server/platform/first.ts'),
  );
  await write(
    'server/modules/b/index.ts',
    importOf('server/modules/b/index.ts', 'server/modules/c/index.ts'),
  );
  await write(
    'server/modules/c/index.ts',
    importOf('server/modules/c/index.ts', 'server/modules/b/index.ts'),
  );
  findings = await findViolations(root, [
    'contract',
    'scanner',
    'google-cloud',
    'sdk',
    'server',
    'cli',
    'console',
  ]);
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

/** A type-only import, which is erased at run time. */
function importOf(from: string, to: string): string {
  const name = to.startsWith('node_modules/')
    ? to.slice('node_modules/'.length)
    : `${'../'.repeat(from.split('/').length - 1)}${to}`;
  return `import type { Planted } from '${name}';\nexport type Used = Planted;\n`;
}

describe('the import boundaries', () => {
  it('every import rule has a planted violation', () => {
    expect(Object.keys(PLANTED).toSorted()).toEqual([...RULES].toSorted());
  });

  it.each(Object.entries(PLANTED))(
    'the import rules report a type import that breaks %s',
    (rule, [from]) => {
      expect(findings.violations.filter((found) => found.rule === rule)).toContainEqual(
        expect.objectContaining({ from }),
      );
    },
  );

  it('the import rules report both imports of a cycle between two modules', () => {
    expect(findings.cycles.filter((cycle) => /modules\/b.*modules\/c/.test(cycle))).toHaveLength(2);
  });
});
