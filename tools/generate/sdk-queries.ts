import type { Method } from './sdk-operations.ts';
import { capitalized, docComment, propertyName } from './sdk-text.ts';

/**
 * The interface of `@cspm/sdk/react-query`: for each operation, what react-query can do with it. A stream is neither a
 * query nor a mutation.
 */
export function queryUtilsOf(groups: readonly (readonly [string, readonly Method[]])[]): string {
  const members = groups.map(([group, methods]) => {
    const lines = methods.filter(({ stream }) => !stream).map(utilsOf);
    return `  readonly ${propertyName(group)}: GroupUtils & {\n${lines.join('')}  };\n`;
  });
  const text = members.join('');
  const used = ['GroupUtils', 'ListUtils', 'MutationUtils', 'QueryUtils'].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(text),
  );
  return [
    "import type { Cspm } from '../index.ts';\n",
    `import type { ${used.join(', ')} } from './types.ts';\n\n`,
    docComment(['Options and keys of react-query for each operation that is no stream.'], ''),
    `export interface CspmQueryUtils extends GroupUtils {\n${text}}\n`,
  ].join('');
}

function utilsOf({ group, name, route, item }: Method): string {
  const of = `<Cspm['${group}']['${name}'], '${group}${capitalized(name)}'>`;
  const reads = route.metadata.idempotency === 'safe';
  const kinds = [
    item ? 'ListUtils' : 'QueryUtils',
    // What a POST reads is often asked for by a button, such as a preflight.
    'MutationUtils',
  ].filter((kind) => (kind === 'MutationUtils' ? route.method !== 'GET' : reads));
  return `    readonly ${propertyName(name)}: ${kinds.map((kind) => kind + of).join(' & ')};\n`;
}
