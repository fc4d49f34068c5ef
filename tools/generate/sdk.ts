import { impliedProblems, Problem, type Routes, WEBHOOK_PAYLOADS } from '@cspm/contract';
import { PROFILE_NAMES } from '@cspm/scanner';
import { methodDoc } from './sdk-docs.ts';
import { hasNoNeeds, type Method, methodsOf } from './sdk-operations.ts';
import { queryUtilsOf } from './sdk-queries.ts';
import { schemaFiles } from './sdk-schemas.ts';
import { tableLine } from './sdk-table.ts';
import { capitalized, docComment, propertyName } from './sdk-text.ts';
import { TypePrinter } from './sdk-types.ts';

const HEADER = '// Generated from the contract by `npm run generate`. Do not edit.\n';

/** Hand-written methods that combine others of their group. */
const BY_HAND: Readonly<Record<string, readonly { from: readonly string[]; text: string }[]>> = {
  scans: [
    {
      from: ['get', 'list', 'events'],
      text: `${docComment(
        [
          'Waits until a scan has finished and resolves with it, whatever its status.',
          'Follows the events of the scan, or polls if events do not arrive. Concurrent waits share one poll. Rate limits and temporary failures of the service are retried.',
          '@throws {NotFoundError} `NOT_FOUND`',
          '@throws {TimeoutError} when `timeoutMs` has elapsed',
          '@throws {AbortError} when the signal is aborted',
        ],
        '    ',
      )}    wait: WaitForScan;\n`,
    },
  ],
};

/**
 * The generated part of the SDK, by path from the root: a small table for run time, and an interface with plain types,
 * independent of the contract, zod and ts-rest.
 * @throws {Error} for a contract that a flat input cannot express: a clash of names, a body that is not an object.
 */
export async function generateSdk(
  contract: Readonly<Record<string, Routes>>,
): Promise<Record<string, string>> {
  const methods = methodsOf(contract);
  return {
    ...interfaceFiles(methods),
    'sdk/src/operations.gen.ts': tableFile(methods),
    'sdk/src/react-query/operations.gen.ts': `${HEADER}${queryUtilsOf(byGroup(methods))}`,
    ...withHeader(schemaFiles(contract)),
    ...('webhooks' in contract ? { 'sdk/src/webhook-events.gen.ts': eventsFile() } : {}),
  };
}

function withHeader(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, HEADER + text]));
}

/** What the client says of its own version. */
export function sdkVersionFile(version: string): Record<string, string> {
  const text = `${HEADER}/** The version of this package. */\nexport const VERSION = '${version}';\n`;
  return { 'sdk/src/version.gen.ts': text };
}

/** The interface of the client, and in a separate file the models, which the hand-written part uses too. */
function interfaceFiles(methods: readonly Method[]): Record<string, string> {
  const types = new TypePrinter({ profile: PROFILE_NAMES });
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
  const client = `${CLIENT_DOC}export interface Cspm {\n${groups.join('\n')}\n${COMMON_METHODS}}\n`;
  const text = [client, routesOf(methods), problemCodesOf(methods), ...inputs].join('\n');
  const models = types.declarations().join('\n');
  return {
    'sdk/src/client.gen.ts': `${HEADER}${importsFor(text)}${modelsFor(text, models)}\n${text}`,
    'sdk/src/models.gen.ts': `${HEADER}${importsFor(models)}\n${models}`,
  };
}

/** The events of webhooks, independent of the client, so that a receiver loads nothing of it. */
function eventsFile(): string {
  const types = new TypePrinter();
  const names = Object.values(WEBHOOK_PAYLOADS).map((schema) => types.print(schema, 'output'));
  const union = `/** An event of a webhook; \`type\` tells which. */\nexport type WebhookEvent =\n${names.map((name) => `  | ${name}\n`).join('')}`;
  return `${HEADER}\n${types.declarations().join('\n')}\n${union.trimEnd()};\n`;
}

function modelsFor(text: string, models: string): string {
  const names = Array.from(
    models.matchAll(/^export (?:interface|type) (\w+)/gm),
    ([, name]) => name,
  );
  const code = text.replace(/\/\*\*[\s\S]*?\*\//g, '');
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).toSorted();
  return used.length === 0 ? '' : `import type { ${used.join(', ')} } from './models.gen.ts';\n`;
}

const CLIENT_DOC = docComment(
  [
    'A client of the service: one method for each operation.',
    'A method takes one flat input that merges path, query and body, and then options. A call returns a promise; a list can also be iterated, a stream can only be iterated. In addition to the listed errors, any method can fail with a `ConnectionError`, a `TimeoutError` or, after its signal is aborted, an `AbortError`.',
  ],
  '',
);

/** Methods of the client itself. */
const COMMON_METHODS = [
  docComment(
    [
      'Derives a client with other options. It shares the session, the retry budget and the pacing of this one.',
    ],
    '  ',
  ),
  '  withOptions(options: DerivedOptions): Cspm;\n\n',
  docComment(
    [
      'Calls an endpoint by its method and path, such as `GET /scans/{id}`. Endpoints of this version have the input, the result and the retries of their method.',
      'Others take any input and return unknown data: the value of a JSON response, otherwise a Blob. A GET sends its input as the query and is retried like a read; any other method sends it as JSON.',
    ],
    '  ',
  ),
  '  request<R extends keyof CspmRoutes>(\n    route: R,\n    ...input: Parameters<CspmRoutes[R]>\n  ): ReturnType<CspmRoutes[R]>;\n',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a type of TypeScript, in a generated file.
  '  request<R extends `${string} /${string}`>(\n    route: R extends keyof CspmRoutes ? never : R,\n    input?: Readonly<Record<string, unknown>>,\n    options?: CallOptions,\n  ): Call<unknown>;\n',
].join('');

/** The methods by method and path of their endpoints, as the OpenAPI document spells them. */
function routesOf(methods: readonly Method[]): string {
  const lines = methods.map(({ group, name, route }) => {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    return `  readonly '${route.method} ${path}': Cspm['${group}']['${name}'];\n`;
  });
  const doc = docComment(['Each endpoint with the method that calls it.'], '');
  return `${doc}export interface CspmRoutes {\n${lines.join('')}}\n`;
}

/** The problem codes of each operation, by its id in the OpenAPI document. */
function problemCodesOf(methods: readonly Method[]): string {
  const lines = methods.map(({ group, name, route }) => {
    const codes = impliedProblems(route).map((code) => `'${code}'`);
    return `  readonly ${group}${capitalized(name)}: ${codes.length > 0 ? codes.join(' | ') : 'never'};\n`;
  });
  const doc = docComment(['The problem codes that each operation can end with.'], '');
  return `${doc}export interface ProblemCodes {\n${lines.join('')}}\n`;
}

/** The types that the interface imports from the hand-written part, with their modules. */
const IMPORTS: readonly (readonly [file: string, names: readonly string[]])[] = [
  ['./as-stream.ts', ['Stream']],
  ['./call.ts', ['Call']],
  ['./event-stream.ts', ['ServerEvent']],
  ['./inventory.ts', ['InventorySource']],
  ['./options.ts', ['CallOptions', 'DerivedOptions', 'KeyedCallOptions', 'NoInput', 'OneOrMany']],
  ['./page.ts', ['ListCall']],
  ['./wait-for-scan.ts', ['WaitForScan']],
];

function importsFor(text: string): string {
  return IMPORTS.map(([file, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    return used.length > 0 ? `import type { ${used.join(', ')} } from '${file}';\n` : '';
  }).join('');
}

/** Parameters and result of a method, and the declaration of its input type if it has one. */
function signature(method: Method, types: TypePrinter): { text: string; input: string[] } {
  const { group, name, route, alternatives, upload } = method;
  const typeName = `${capitalized(group)}${capitalized(name)}Input`;
  const members = [
    ...Object.entries(method.path).map(([key, schema]) =>
      types.printMember(key, schema, 'input', 2),
    ),
    ...Object.entries(method.query).map(([key, schema]) =>
      types.printMember(key, schema, 'input', 2, { oneOrMany: true }),
    ),
    ...Object.entries(method.body)
      .filter(([key]) => !alternatives.includes(key))
      .map(([key, schema]) => types.printMember(key, schema, 'input', 2)),
    ...(upload ? ['  readonly inventory: InventorySource;\n'] : []),
  ];
  const doc = docComment([`What \`${group}.${name}\` takes.`], '');
  const object = `{\n${members.join('')}}`;
  const declaration =
    alternatives.length > 0
      ? `type ${typeName} = ${object} & (\n${oneOf(method, types)});\n`
      : `interface ${typeName} ${object}\n`;
  const input = members.length > 0 ? [`${doc}export ${declaration}`] : [];
  const keyed = route.metadata.idempotency === 'accepted';
  const parameters = [
    `input${hasNoNeeds(method) ? '?' : ''}: ${members.length > 0 ? typeName : 'NoInput'}`,
    `options?: ${keyed ? 'KeyedCallOptions' : 'CallOptions'}`,
  ];
  return { text: `(${parameters.join(', ')}): ${answer(method, types)}`, input };
}

/** A union of objects that have one of the alternatives each. */
function oneOf({ alternatives, body }: Method, types: TypePrinter): string {
  return Object.entries(body)
    .filter(([key]) => alternatives.includes(key))
    .map(([key, schema]) => {
      const own = types.printMember(key, schema, 'input', 6, { required: true });
      const others = alternatives
        .filter((other) => other !== key)
        .map((other) => `      readonly ${propertyName(other)}?: undefined;\n`);
      return `  | {\n${own}${others.join('')}    }\n`;
    })
    .join('');
}

function answer({ stream, item, page, result }: Method, types: TypePrinter): string {
  if (stream === 'text') return 'Stream<string, Uint8Array>';
  if (stream === 'bytes') return 'Stream<Uint8Array>';
  const data = result ? types.print(item ?? result, 'output', 4) : 'void';
  if (stream === 'events') return `Stream<ServerEvent<${data}>>`;
  if (page) return `ListCall<${data}, ${types.print(page, 'output', 4)}>`;
  return item ? `ListCall<${data}>` : `Call<${data}>`;
}

/** The table that the client reads at run time, kept as small as possible. */
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
