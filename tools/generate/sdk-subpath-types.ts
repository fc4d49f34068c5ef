import ts from 'typescript';

/** How a subpath imports the client in its sources. */
const CLIENT = '../index.ts';
const IMPORT = /^import (type )?\{ (.*) \} from '(.*)';\n/gm;
const RE_EXPORT = /^export (type )?(\*|\{.*\}) from '\..*';\n/gm;

/**
 * The types of a subpath in one file. Types of the client are imported from the package instead of repeated, so that
 * both are the same types and a large file is read once.
 * @param sources The files with the public types of the subpath. Each export needs a written type.
 * @throws {Error} for an export whose type would have to be inferred
 */
export function typesBesideTheClient(sources: readonly string[]): string {
  const imports = new Map<string, Set<string>>();
  const bodies = sources.map((source) =>
    declarationsOf(source)
      .replaceAll(IMPORT, (_, typeOnly, names: string, from: string) => {
        if (from.startsWith('./')) return '';
        const specifier = from === CLIENT ? '@cspm/sdk' : from;
        const known = imports.get(specifier) ?? new Set();
        for (const name of names.split(', ')) {
          known.add(typeOnly || name.startsWith('type ') ? name.replace(/^type /, '') : name);
        }
        imports.set(specifier, known);
        return '';
      })
      .replaceAll(RE_EXPORT, ''),
  );
  const heads = [...imports]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([from, names]) => `import type { ${[...names].toSorted().join(', ')} } from '${from}';\n`,
    );
  return `${heads.join('')}\n${bodies.join('\n').trim()}\n`;
}

function declarationsOf(source: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      isolatedDeclarations: true,
      verbatimModuleSyntax: false,
      declaration: true,
    },
    reportDiagnostics: true,
  });
  if (diagnostics.length > 0) {
    throw new Error(
      diagnostics
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
        .join('\n'),
    );
  }
  return outputText;
}
