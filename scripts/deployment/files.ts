import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The text of everything that deploys the service, by its path from the root. */
export type DeploymentFiles = Readonly<Record<string, string>>;

const AT_THE_ROOT = ['Dockerfile', '.dockerignore', 'compose.yaml'];

/** Where they are: of each, what it says is held against what the others say. */
export const FILES = {
  image: 'Dockerfile',
  compose: 'compose.yaml',
  composeEnvironment: 'deploy/compose.env.example',
  proxy: 'deploy/nginx.conf',
  manifests: 'deploy/kubernetes/',
  kustomization: 'deploy/kubernetes/kustomization.yaml',
  secret: 'deploy/kubernetes/secret.env.example',
} as const;

export async function readDeployment(root: string): Promise<DeploymentFiles> {
  const below = await readdir(join(root, 'deploy'), { recursive: true, withFileTypes: true });
  const paths = below
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replace(/^\//, ''));
  const texts = [...AT_THE_ROOT, ...paths.sort()].map(
    async (path) => [path, await readFile(join(root, path), 'utf8')] as const,
  );
  return Object.fromEntries(await Promise.all(texts));
}

/** @throws {Error} that names the file, where there is none. */
export function textOf(files: DeploymentFiles, path: string): string {
  const text = files[path];
  if (text === undefined) throw new Error(`${path} is missing`);
  return text;
}

/** The assignments of a file of variables, one a line. */
export function variablesOf(text: string): Record<string, string> {
  const assignments = text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm);
  return Object.fromEntries([...assignments].map(([, name = '', value = '']) => [name, value]));
}

/** Stands for a secret that an example leaves open. */
export function madeUp(name: string): string {
  return `made-up-for-${name.toLowerCase()}-${'x'.repeat(32)}`;
}
