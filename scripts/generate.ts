/**
 * `npm run generate` writes what follows from the contract: openapi.json, the types of it that are held against those of the
 * contract, and the SDK's generated files; of those the SDK's package; and the page of the rules for breaking changes.
 * With `--check` it writes nothing and fails if any of them is not what the contract says now.
 */
import { fileURLToPath } from 'node:url';
import { contract } from '@cspm/contract';
import packageJson from '../package.json' with { type: 'json' };
import { breakingChangesPage } from './generate/breaking-changes-page.ts';
import { type GeneratedFiles, staleFiles, writeFiles } from './generate/files.ts';
import { generateOpenApi } from './generate/openapi.ts';
import { generateOpenApiTypes } from './generate/openapi-types.ts';
import { generateSdk } from './generate/sdk.ts';
import { generateSdkPackage } from './generate/sdk-package.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const document = generateOpenApi(contract, packageJson.version);
const files: GeneratedFiles = {
  'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'openapi/types.gen.ts': await generateOpenApiTypes(document),
  'docs/breaking-changes.md': breakingChangesPage(),
  ...(await generateSdk(contract)),
};

if (process.argv.includes('--check')) {
  const stale = [
    ...(await staleFiles(root, files)),
    ...(await staleFiles(root, await generateSdkPackage(root))),
  ];
  if (stale.length > 0) {
    console.error(`Not what the contract says now:\n${list(stale)}\nRun: npm run generate`);
    process.exitCode = 1;
  }
} else {
  const written = [
    ...(await writeFiles(root, files)),
    ...(await writeFiles(root, await generateSdkPackage(root))),
  ];
  console.log(written.length > 0 ? `Written:\n${list(written)}` : 'Nothing to write.');
}

function list(paths: readonly string[]): string {
  return paths.map((path) => `  ${path}`).join('\n');
}
