import { Problem, type Routes } from '@cspm/contract';
import { methodDoc } from './sdk-docs.ts';
import { hasNoNeeds, type Method, methodsOf } from './sdk-operations.ts';
import { tableLine } from './sdk-table.ts';
import { capitalized, docComment, propertyName } from './sdk-text.ts';
import { TypePrinter } from './sdk-types.ts';

const HEADER = '// Generated from the contract by `npm run generate`. Do not edit.\n';

/** Methods that are made by hand from others of their group. */
const BY_HAND: Readonly<Record<string, readonly { from: readonly string[]; text: string }[]>> = {
  scans: [
    {
      from: ['get', 'list', 'events'],
      text: `${docComment(
        [
          'Waits until a scan is finished and resolves with it, whatever its status.',
          'Follows the events of the scan, or polls where they do not come through. Many waits share one poll. A rate limit is waited out, and a service that is away for a while.',
          '@throws {NotFoundError} `NOT_FOUND`',
          '@throws {TimeoutError} when `timeoutMs` is over',
          '@throws {AbortError} when the signal is aborted',
        ],
        '    ',
      )}    wait: WaitForScan;\n`,
    },
  ],
};

/**
 * The generated part of the SDK, by path from the root: a light table for run time, and an interface with plain types
 * in which nothing of the contract, zod or ts-rest is left.
 * @throws {Error} for a contract that a flat input cannot express: a clash of names, a body that is no object.
 */
export async function generateSdk(
  contract: Readonly<Record<string, Routes>>,
): Promise<Record<string, string>> {
  const methods = methodsOf(contract);
  return {
    'sdk/src/client.gen.ts': interfaceFile(methods),
    'sdk/src/operations.gen.ts': tableFile(methods),
  };
}

function interfaceFile(methods: readonly Method[]): string {
  const types = new TypePrinter();
  types.print(Problem, 'output');
  const inputs: string[] = [];
  const groups = byGroup(methods).map(([group, members]) => {
    const texts = members.map((method) => {
      const { input, text } = signature(method, types);
      inputs.push(...input);
      return `${docComment(methodDoc(method), '    ')}    ${propertyName(method.name)}${text};\n`;
    });
    const names = members.map(({ name }) => name);
    for (const { from, text } of BY_HAND[group] ?? []) {
      if (from.every((name) => names.includes(name))) texts.push(text);
    }
    return `  readonly ${propertyName(group)}: {\n${texts.join('\n')}  };\n`;
  });
  const client = `${CLIENT_DOC}export interface Cspm {\n${groups.join('\n')}}\n`;
  const text = [client, ...inputs, ...types.declarations()].join('\n');
  return `${HEADER}${importsFor(text)}\n${text}`;
}

const CLIENT_DOC = docComment(
  [
    'A client of the service: one method for each operation.',
    'A method takes one flat input, in which path, query and body are merged, and then options. A call is a promise; a list can also be iterated over, a stream only that. Besides the errors that it lists, any method may end with a `ConnectionError`, a `TimeoutError` or, once its signal is aborted, an `AbortError`.',
  ],
  '',
);

/** The types that the interface takes from the hand-written part, and where they are. */
const IMPORTS: readonly (readonly [file: string, names: readonly string[]])[] = [
  ['./call.ts', ['Call']],
  ['./event-stream.ts', ['ServerEvent']],
  ['./inventory.ts', ['InventorySource']],
  ['./options.ts', ['CallOptions', 'KeyedCallOptions', 'NoInput', 'OneOrMany']],
  ['./page.ts', ['ListCall']],
  ['./wait.ts', ['WaitForScan']],
];

function importsFor(text: string): string {
  return IMPORTS.map(([file, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    return used.length > 0 ? `import type { ${used.join(', ')} } from '${file}';\n` : '';
  }).join('');
}

/** Parameters and result of a method, and the declaration of its input type where it has one. */
function signature(method: Method, types: TypePrinter): { text: string; input: string[] } {
  const { group, name, route, upload } = method;
  const typeName = `${capitalized(group)}${capitalized(name)}Input`;
  const members = [
    ...Object.entries(method.path).map(([key, schema]) =>
      types.printMember(key, schema, 'input', 2),
    ),
    ...Object.entries(method.query).map(([key, schema]) =>
      types.printMember(key, schema, 'input', 2, true),
    ),
    ...Object.entries(method.body).map(([key, schema]) =>
      types.printMember(key, schema, 'input', 2),
    ),
    ...(upload ? ['  readonly inventory: InventorySource;\n'] : []),
  ];
  const doc = docComment([`What \`${group}.${name}\` takes.`], '');
  const input =
    members.length > 0 ? [`${doc}export interface ${typeName} {\n${members.join('')}}\n`] : [];
  const keyed = route.metadata.idempotency === 'accepted';
  const parameters = [
    `input${hasNoNeeds(method) ? '?' : ''}: ${members.length > 0 ? typeName : 'NoInput'}`,
    `options?: ${keyed ? 'KeyedCallOptions' : 'CallOptions'}`,
  ];
  return { text: `(${parameters.join(', ')}): ${answer(method, types)}`, input };
}

function answer({ stream, item, result }: Method, types: TypePrinter): string {
  if (stream === 'text') return 'AsyncIterable<string>';
  const data = result ? types.print(item ?? result, 'output', 4) : 'void';
  if (stream === 'events') return `AsyncIterable<ServerEvent<${data}>>`;
  return item ? `ListCall<${data}>` : `Call<${data}>`;
}

/** What the client reads at run time, as short as it can be. */
function tableFile(methods: readonly Method[]): string {
  const lines = byGroup(methods).map(([group, members]) => tableLine(group, members));
  return [
    HEADER,
    '/** What the client knows of each operation at run time, as `readOperations` reads it. */\n',
    `export const OPERATIONS = \`${lines.join('\n')}\`;\n`,
  ].join('');
}

function byGroup(methods: readonly Method[]): [string, Method[]][] {
  const names = new Set(methods.map(({ group }) => group));
  return Array.from(names, (name) => [name, methods.filter(({ group }) => group === name)]);
}
