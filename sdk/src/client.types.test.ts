import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const TYPE_TESTS = [
  'client.test-d.ts',
  'react-query/react-query.test-d.ts',
  'subpaths.test-d.ts',
].map((file) => fileURLToPath(new URL(file, import.meta.url)));
const TSCONFIG = fileURLToPath(new URL('../../tsconfig.json', import.meta.url));

/** An inverted assertion of the type test, which must now cause an error. */
interface Turned {
  readonly line: number;
  readonly text: string;
  readonly code: number;
}

test.each(TYPE_TESTS)(
  'every assertion of the type test %s can fail, and every wrong use fails with the error it names',
  (file) => {
    const { text, turned } = turnedRound(readFileSync(file, 'utf8'));
    expect(turned.length).toBeGreaterThan(file.endsWith('/client.test-d.ts') ? 40 : 8);
    const errors = errorsIn(file, text);
    for (const assertion of turned) expect(errors).toContainEqual(assertion);
    expect(errors).toHaveLength(turned.length);
  },
);

/**
 * Removes the `@ts-expect-error TS2345 -- why` from each wrong use and negates each `same<A, B>(true)`, so that every
 * one of them must cause an error.
 */
function turnedRound(source: string): { text: string; turned: Turned[] } {
  const lines = source.replaceAll(/>\(\s*true,?\s*\);/g, '>(false);').split('\n');
  const turned = lines.flatMap((text, line): Turned[] => {
    const pardon = /^\s*\/\/ @ts-expect-error TS(\d+) -- /.exec(text);
    if (pardon) {
      return [{ line: line + 1, text: lines[line + 1] ?? '', code: Number(pardon[1]) }];
    }
    return text.endsWith('>(false);') ? [{ line, text, code: 2345 }] : [];
  });
  return { text: lines.join('\n').replaceAll('@ts-expect-error', 'refused:'), turned };
}

/** Compiler errors of a type test with another text. An error inside a statement is reported for its first line. */
function errorsIn(typeTest: string, text: string): Turned[] {
  const { config } = ts.readConfigFile(TSCONFIG, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '');
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (file, version, ...how) =>
    // The version includes that the file is an ES module.
    file === typeTest ? ts.createSourceFile(file, text, version) : read(file, version, ...how);
  const program = ts.createProgram([typeTest], { ...options, paths: {} }, host);
  const lines = text.split('\n');
  return program
    .getSemanticDiagnostics(program.getSourceFile(typeTest))
    .map(({ code, file, start = 0 }) => {
      const { line = 0 } = file?.getLineAndCharacterOfPosition(start) ?? {};
      return { line, text: lines[line] ?? '', code };
    });
}
