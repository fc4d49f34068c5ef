import { parseAllDocuments } from 'yaml';
import type { DeploymentFiles } from './files.ts';

/** YAML and JSON that cannot be read at all; of YAML warnings too. */
export function parseFaults(files: DeploymentFiles): string[] {
  return Object.entries(files).flatMap(([path, text]) => {
    if (path.endsWith('.json')) return jsonFaults(path, text);
    return path.endsWith('.yaml') ? yamlFaults(path, text) : [];
  });
}

function yamlFaults(path: string, text: string): string[] {
  return parseAllDocuments(text, { merge: true }).flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ message }) => `${path}: ${message}`),
  );
}

function jsonFaults(path: string, text: string): string[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [`${path}: ${error instanceof Error ? error.message : error}`];
  }
}
