import { LIMITS, Problem, type Routes } from '@cspm/contract';
import { methodDoc } from './sdk-docs.ts';
import { hasNoNeeds, type Method, methodsOf } from './sdk-operations.ts';
import { capitalized, docComment, propertyName, quote } from './sdk-text.ts';
import { metaOf, TypePrinter } from './sdk-types.ts';

const HEADER = '// Generated from the contract by `npm run generate`. Do not edit.\n';

/** Methods that are made by hand from others of their group. */
const BY_HAND: Readonly<Record<string, readonly { from: readonly string[]; text: string }[]>> = {
  scans: [
    {
      from: ['get', 'list'],
      text: `${docComment(
        [
          'Waits until a scan is finished and resolves with it, whatever its status.',
          'All waits of a client share one poll, which leaves room within the general rate limit. A service that is away for less than a minute does not end the wait.',
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
    'A method takes one flat input, in which path, query and body are merged, and then options. Besides the errors that it lists, any method may end with a `ConnectionError`, a `TimeoutError` or, once its signal is aborted, an `AbortError`.',
  ],
  '',
);

/** The types that the interface takes from the hand-written part, and where they are. */
const IMPORTS: readonly (readonly [file: string, names: readonly string[]])[] = [
  ['./call.ts', ['Call']],
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
  const result = method.item
    ? `ListCall<${types.print(method.item, 'output', 4)}>`
    : `Call<${method.result ? types.print(method.result, 'output', 4) : 'void'}>`;
  return { text: `(${parameters.join(', ')}): ${result}`, input };
}

function tableFile(methods: readonly Method[]): string {
  const groups = byGroup(methods).map(([group, members]) => {
    const rows = members.map((method) => `    ${propertyName(method.name)}: ${row(method)},\n`);
    return `  ${propertyName(group)}: {\n${rows.join('')}  },\n`;
  });
  const named = methods.map(({ route }) => route.metadata.limit);
  const limits = Object.entries(LIMITS).filter(([name]) => named.some((used) => used === name));
  const limitRows = limits.map(
    ([name, { quota, windowSeconds }]) =>
      `  ${propertyName(name)}: { quota: ${quota}, windowSeconds: ${windowSeconds} },\n`,
  );
  return [
    HEADER,
    "import type { FixedLimit, Operation } from './operation.ts';\n\n",
    '/** What the client knows of each operation at run time. */\n',
    `export const operations = {\n${groups.join('')}} as const satisfies Record<string, Record<string, Operation>>;\n\n`,
    '/** The limits that are the same on every server. */\n',
    `export const limits: Readonly<Record<string, FixedLimit>> = {\n${limitRows.join('')}};\n`,
  ].join('');
}

/** What is left out of a row is the ordinary case, which keeps the table light. */
function row({ route, query, body, upload, item, result }: Method): string {
  const { metadata: policy } = route;
  const queryNames = Object.keys(query);
  const mixed = queryNames.length > 0 && Object.keys(body).length + Number(upload) > 0;
  const cells = [
    `method: ${quote(route.method)}`,
    `path: ${quote(route.path)}`,
    `idempotency: ${quote(policy.idempotency)}`,
    ...(policy.limit === 'default' ? [] : [`limit: ${quote(policy.limit)}`]),
    ...(policy.credentials === 'public' ? ['public: true'] : []),
    ...(policy.body === 'none' ? [] : [`body: ${quote(policy.body)}`]),
    ...(mixed ? [`query: [${queryNames.map(quote).join(', ')}]`] : []),
    ...(item ? ['list: true'] : []),
    ...(result && metaOf(result).id === 'Tokens' ? ['opensSession: true'] : []),
  ];
  return `{ ${cells.join(', ')} }`;
}

function byGroup(methods: readonly Method[]): [string, Method[]][] {
  const names = new Set(methods.map(({ group }) => group));
  return Array.from(names, (name) => [name, methods.filter(({ group }) => group === name)]);
}
