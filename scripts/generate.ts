/**
 * `npm run generate` writes everything that is derived from the contract and the rules: openapi.json; its types, which
 * are compared with those of the contract; the SDK's generated files, and from those the SDK's package; the page of
 * breaking change rules; that of permissions; the table of limits in docs/security.md; and the table of rules in
 * docs/fixes.md. With `--check` it writes nothing and fails if a file is outdated.
 *
 * It also writes prisma/functions.sql from a migrated Postgres. scripts/check-drift.ts checks that file, because it
 * starts such a Postgres anyway.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract } from '@cspm/contract';
import packageJson from '../package.json' with { type: 'json' };
import { startTemporary } from '../server/development/embedded-temporary.ts';
import { breakingChangesPage } from '../tools/generate/breaking-changes-page.ts';
import { dumpDatabaseFunctions, FUNCTIONS_FILE } from '../tools/generate/database-functions.ts';
import { type GeneratedFiles, staleFiles, writeFiles } from '../tools/generate/files.ts';
import { generateOpenApi } from '../tools/generate/openapi.ts';
import { generateOpenApiTypes } from '../tools/generate/openapi-types.ts';
import { permissionsPage } from '../tools/generate/permissions-page.ts';
import { withRuleFixes } from '../tools/generate/rule-fixes.ts';
import { generateSdk, sdkVersionFile } from '../tools/generate/sdk.ts';
import { mockFile } from '../tools/generate/sdk-mock.ts';
import { generateSdkPackage } from '../tools/generate/sdk-package.ts';
import { withLimitsTable } from '../tools/generate/security-limits.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const document = generateOpenApi(contract, packageJson.version);
const files: GeneratedFiles = {
  'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'openapi/types.gen.ts': await generateOpenApiTypes(document),
  'docs/breaking-changes.md': breakingChangesPage(),
  'docs/permissions.md': permissionsPage(contract),
  'docs/security.md': withLimitsTable(await readFile(join(root, 'docs/security.md'), 'utf8')),
  'docs/fixes.md': withRuleFixes(await readFile(join(root, 'docs/fixes.md'), 'utf8')),
  ...(await generateSdk(contract)),
  ...mockFile(contract, document),
  ...sdkVersionFile(packageJson.version),
};

if (process.argv.includes('--check')) {
  const stale = [
    ...(await staleFiles(root, files)),
    ...(await staleFiles(root, await generateSdkPackage(root))),
  ];
  if (stale.length > 0) {
    console.error(`These generated files are outdated:\n${list(stale)}\nRun: npm run generate`);
    process.exitCode = 1;
  }
} else {
  const written = [
    ...(await writeFiles(root, files)),
    ...(await writeFiles(root, await generateSdkPackage(root))),
    ...(await writeFiles(root, { [FUNCTIONS_FILE]: await databaseFunctions() })),
  ];
  console.log(written.length > 0 ? `Written:\n${list(written)}` : 'Nothing to write.');
}

async function databaseFunctions(): Promise<string> {
  const server = await startTemporary();
  try {
    return await dumpDatabaseFunctions(server);
  } finally {
    await server.stop();
  }
}

function list(paths: readonly string[]): string {
  return paths.map((path) => `  ${path}`).join('\n');
}
