import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The text of every deployment file, by path from the root. */
export type DeploymentFiles = Readonly<Record<string, string>>;

const AT_THE_ROOT = ['Dockerfile', 'compose.yaml'];

/** The files that are compared with the server's configuration and with each other. */
export const FILES = {
  image: 'Dockerfile',
  compose: 'compose.yaml',
  composeEnvironment: 'deploy/compose.env.example',
  proxy: 'deploy/nginx.conf',
  manifests: 'deploy/kubernetes/',
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

/** @throws {Error} that names the missing file. */
export function textOf(files: DeploymentFiles, path: string): string {
  const text = files[path];
  if (text === undefined) throw new Error(`${path} is missing`);
  return text;
}

/** The assignments of an environment file, one per line. */
export function variablesOf(text: string): Record<string, string> {
  const assignments = text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm);
  return Object.fromEntries([...assignments].map(([, name = '', value = '']) => [name, value]));
}

/** The assignments that an environment file shows in comments. */
export function optionalVariablesOf(text: string): string[] {
  return [...text.matchAll(/^# ([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
}

/** Placeholder for a secret that an example leaves empty. */
export function madeUp(name: string): string {
  return `made-up-for-${name.toLowerCase()}-${'x'.repeat(32)}`;
}
