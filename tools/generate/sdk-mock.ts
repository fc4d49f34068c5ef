import type { Routes } from '@cspm/contract';
import type { MockDocument, MockMedia } from '../../sdk/src/mock/document.ts';
import { operationsOf, problemsOf } from '../../sdk/src/mock/read-document.ts';
import { type Method, methodsOf } from './sdk-operations.ts';
import { capitalized } from './sdk-text.ts';
import { metaOf } from './sdk-types.ts';

const HEADER = '// Generated from openapi.json by `npm run generate`. Do not edit.\n';

/** The examples and policies of `@cspm/sdk/testing`, from the OpenAPI document. */
export function mockFile(
  contract: Readonly<Record<string, Routes>>,
  document: object,
): Record<string, string> {
  const methods = methodsOf(contract).filter(({ stream }) => !stream);
  const factories = factoriesOf(methods);
  const models = factories.map(({ model }) => model).toSorted();
  const mock = document as MockDocument;
  const operations = operationsOf(mock).map((operation) => ({
    ...operation,
    parameters: operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ schema: { type, items, default: otherwise }, ...parameter }) => ({
        name: parameter.name,
        in: parameter.in,
        required: parameter.required,
        schema: { type, items: itemsOf(items), default: otherwise },
      })),
    body: withoutSchemas(operation.body, false),
    success: { ...operation.success, media: withoutSchemas(operation.success.media, true) },
  }));
  // Shared examples come first and win.
  const problems = new Map(
    problemsOf(mock)
      .toReversed()
      .map((problem) => [problem.code, { ...problem, correlationId: undefined }]),
  );
  const types = [
    HEADER,
    `import type {\n  Cspm,\n${models.map((model) => `  ${model},\n`).join('')}} from '../index.ts';\n\n`,
    '/** The data of each operation, by its id in the OpenAPI document. */\n',
    'export interface MockAnswers {\n',
    ...methods.map(
      ({ group, name }) =>
        `  readonly ${group}${capitalized(name)}: Awaited<ReturnType<Cspm['${group}']['${name}']>>;\n`,
    ),
    '}\n\n/** Makes objects as the service answers them. */\nexport interface Factories {\n',
    ...factories.map(({ model }) => `  ${lower(model)}(members?: Partial<${model}>): ${model};\n`),
    '}\n',
  ];
  const data = [
    HEADER,
    "import type { MockOperation, MockProblem } from './document.ts';\n\n",
    '/** The operation whose example is used, and whether it is an item of it. */\n',
    'export const FACTORY_EXAMPLES: Readonly<Record<string, readonly [string, boolean]>> = {\n',
    ...factories.map(({ model, id, isItem }) => `  ${lower(model)}: ['${id}', ${isItem}],\n`),
    '};\n\n',
    `export const OPERATIONS: readonly MockOperation[] = ${JSON.stringify(operations)};\n\n`,
    `export const PROBLEMS: readonly MockProblem[] = ${JSON.stringify([...problems.values()])};\n`,
  ];
  return {
    'sdk/src/mock/answers.gen.ts': types.join(''),
    'sdk/src/mock/examples.gen.ts': data.join(''),
  };
}

/** Each named answer, with the first operation whose example has one. */
function factoriesOf(methods: readonly Method[]) {
  const found = new Map<string, { model: string; id: string; isItem: boolean }>();
  for (const { group, name, item, page, result } of methods) {
    const schema = page ?? item ?? result;
    const model = schema && metaOf(schema).id;
    if (!model || found.has(model)) continue;
    found.set(model, { model, id: `${group}${capitalized(name)}`, isItem: schema === item });
  }
  return [...found.values()];
}

function withoutSchemas(media: Readonly<Record<string, MockMedia>>, withExample: boolean) {
  const entries = Object.entries(media);
  return Object.fromEntries(
    entries.map(([type, { example }]) => [type, withExample ? { example } : {}]),
  );
}

function itemsOf(items: unknown) {
  const { type } = Object(items) as { type?: unknown };
  return type === undefined ? undefined : { type };
}

function lower(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
