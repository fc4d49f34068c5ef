import { fileURLToPath } from 'node:url';
import { contract } from '@cspm/contract';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ROOT as ROOT_URL } from '../../../server/platform/root.ts';
import { generateOpenApi } from '../openapi.ts';
import { methodsOf } from '../sdk-operations.ts';
import type { CodeSample } from './code-samples.ts';
import { jsLiteral, pythonLiteral, shellText } from './sample-text.ts';

const ROOT = fileURLToPath(ROOT_URL);

interface Sampled {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly CodeSample[];
}

const { paths } = generateOpenApi(contract, '1.0.0');
const operations = Object.values(paths ?? {}).flatMap((item) => Object.values(item) as Sampled[]);

test('every operation has samples for curl and Python, and for the SDK where it has a method', () => {
  const bySdk = operations.filter((each) => each['x-codeSamples'].some(isSdk));
  expect(bySdk.length).toBe(methodsOf(contract).length);
  expect(bySdk.length).toBeGreaterThan(100);
  for (const { operationId, 'x-codeSamples': samples } of operations) {
    const others = samples.filter((each) => !isSdk(each)).map(({ label }) => label);
    expect(others, operationId).toEqual(['curl', 'Python']);
    const text = samples.map(({ source }) => source).join('\n');
    expect(text, operationId).not.toMatch(/undefined|\[object|cspm_[A-Za-z0-9]/);
  }
});

test('every SDK sample compiles under the strictest options', () => {
  const files = new Map(
    operations.flatMap(({ operationId, 'x-codeSamples': samples }) =>
      samples.filter(isSdk).map(({ source }) => [`${ROOT}sample-${operationId}.ts`, source]),
    ),
  );
  expect(complaintsOf(files)).toEqual([]);
  const [name = '', source = ''] = [...files].find(([file]) => file.includes('scansLaunch')) ?? [];
  const wrong = new Map([[name, source.replace('profile:', 'profil:')]]);
  expect(complaintsOf(wrong)).toEqual([expect.stringContaining('sample-scansLaunch.ts')]);
});

test('values in code samples are quoted for their language', () => {
  const value = { 'a-b': `it's "x"\n`, list: [true, null, 1] };
  expect(jsLiteral(value)).toBe(`{ 'a-b': 'it\\'s "x"\\n', list: [true, null, 1] }`);
  expect(pythonLiteral(value)).toBe('{"a-b": "it\'s \\"x\\"\\n", "list": [True, None, 1]}');
  expect(shellText("it's")).toBe(`'it'\\''s'`);
});

function isSdk({ label }: CodeSample): boolean {
  return label === 'SDK';
}

/** What the type checker says of files that exist only here. */
function complaintsOf(files: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  // Callers write `process.env.NAME`.
  const lenient = { ...options, noPropertyAccessFromIndexSignature: false, noEmit: true };
  const host = ts.createCompilerHost(lenient);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.getSourceFile = (file, ...how) => {
    const text = files.get(file);
    return text === undefined
      ? getSourceFile(file, ...how)
      : ts.createSourceFile(file, text, ts.ScriptTarget.ES2023);
  };
  const program = ts.createProgram([...files.keys()], lenient, host);
  return [...files.keys()].flatMap((name) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  });
}
