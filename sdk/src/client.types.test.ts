import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const TYPE_TEST = fileURLToPath(new URL('client.test-d.ts', import.meta.url));
const TSCONFIG = fileURLToPath(new URL('../../tsconfig.json', import.meta.url));

/** An assertion of the type test that was turned round, and so has to be an error. */
interface Turned {
  readonly line: number;
  readonly text: string;
  readonly code: number;
}

test('each assertion of the type test can fail, and each wrong use fails for the error that it names', () => {
  const { text, turned } = turnedRound(readFileSync(TYPE_TEST, 'utf8'));
  expect(turned.length).toBeGreaterThan(40);
  const errors = errorsIn(text);
  for (const assertion of turned) expect(errors).toContainEqual(assertion);
  expect(errors).toHaveLength(turned.length);
});

/**
 * Takes the pardon from each wrong use (`@ts-expect-error TS2345 -- why`) and says the opposite of each `same<A, B>(true)`:
 * now every one of them is to blame.
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

/** What the compiler says of the type test with another text; an error within a statement counts for its first line. */
function errorsIn(text: string): Turned[] {
  const { config } = ts.readConfigFile(TSCONFIG, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '');
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (file, ...how) =>
    file === TYPE_TEST
      ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2023)
      : read(file, ...how);
  const program = ts.createProgram([TYPE_TEST], { ...options, paths: {} }, host);
  const lines = text.split('\n');
  return program
    .getSemanticDiagnostics(program.getSourceFile(TYPE_TEST))
    .map(({ code, file, start = 0 }) => {
      const { line = 0 } = file?.getLineAndCharacterOfPosition(start) ?? {};
      return { line, text: lines[line] ?? '', code };
    });
}
