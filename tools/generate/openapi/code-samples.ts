import type { Method } from '../sdk-operations.ts';
import { Expression, jsLiteral, pythonLiteral, shellText } from './sample-text.ts';

type Node = Readonly<Record<string, unknown>>;

/** The address in the samples. The documentation page replaces it by its own. */
export const SAMPLE_ADDRESS = 'http://127.0.0.1:3000';

/** An entry of `x-codeSamples`, which documentation pages show beside an operation. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** One request, composed of the examples of an operation. */
interface Sample {
  readonly verb: string;
  readonly url: string;
  readonly params: Node;
  readonly query: Node;
  readonly type: string | undefined;
  readonly body: unknown;
  readonly credential: keyof typeof CREDENTIALS;
}

const CREDENTIALS = {
  none: { sdk: '', header: '', variable: '' },
  key: {
    sdk: 'apiKey: process.env.CSPM_API_KEY',
    header: 'X-API-Key: ',
    variable: 'CSPM_API_KEY',
  },
  session: {
    sdk: "credential: () => ({ accessToken: process.env.CSPM_ACCESS_TOKEN ?? '' })",
    header: 'Authorization: Bearer ',
    variable: 'CSPM_ACCESS_TOKEN',
  },
} as const;

/** Longer lines are broken. */
const WIDTH = 70;
const UPLOAD = 'application/x-ndjson';
const FILE = 'export.ndjson';

/** The samples of an operation: our SDK, if it has a method for it, curl and Python. */
export function codeSamples(
  path: string,
  verb: string,
  operation: Node,
  method?: Method,
): CodeSample[] {
  const sample = sampleOf(path, verb, operation);
  const sdk = method && { lang: 'TypeScript', label: 'SDK', source: sdkSample(sample, method) };
  return [
    ...(sdk ? [sdk] : []),
    { lang: 'Shell', label: 'curl', source: curlSample(sample) },
    { lang: 'Python', label: 'Python', source: pythonSample(sample) },
  ];
}

function sampleOf(path: string, verb: string, operation: Node): Sample {
  const own = (operation['parameters'] as Node[]).filter((each) => !('$ref' in each));
  const [params, query] = ['path', 'query'].map((place) =>
    Object.fromEntries(
      own
        .filter((each) => each['in'] === place && each['required'] === true)
        .map((each) => [String(each['name']), exampleOf(each)]),
    ),
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(params?.[name])),
  );
  const search = new URLSearchParams(query as Record<string, string>).toString();
  const contents = (operation['requestBody'] as Node | undefined)?.['content'] as Node | undefined;
  const [first] = Object.entries(contents ?? {});
  return {
    verb: verb.toUpperCase(),
    url: `${SAMPLE_ADDRESS}${filled}${search && `?${search}`}`,
    params: params ?? {},
    query: query ?? {},
    type: contents && UPLOAD in contents ? UPLOAD : first?.[0],
    body: (first?.[1] as Node | undefined)?.['example'],
    credential: credentialOf(operation['security'] as readonly Node[]),
  };
}

function exampleOf(parameter: Node): unknown {
  const schema = (parameter['schema'] ?? {}) as Node;
  return parameter['example'] ?? (schema['examples'] as unknown[] | undefined)?.[0];
}

function credentialOf(security: readonly Node[]): Sample['credential'] {
  if (security.some((each) => 'apiKey' in each)) return 'key';
  return security.length > 0 ? 'session' : 'none';
}

function sdkSample(sample: Sample, { group, name, item, stream, result, upload }: Method): string {
  const { params, query, body, credential } = sample;
  const source = upload
    ? { inventory: new Expression(`createReadStream('${FILE}')`) }
    : (body as object);
  const input = { ...params, ...query, ...source };
  const isEmpty = Object.keys(input).length === 0;
  const short = `cspm.${group}.${name}(${isEmpty ? '' : jsLiteral(input)})`;
  const fits = short.length < WIDTH || isEmpty;
  const call = fits ? short : `cspm.${group}.${name}(${jsLiteral(input, true)})`;
  const options = [`baseUrl: '${SAMPLE_ADDRESS}'`, CREDENTIALS[credential].sdk].filter(Boolean);
  const list = options.join(', ');
  const lines = [
    ...(upload ? ["import { createReadStream } from 'node:fs';"] : []),
    "import { createClient } from '@cspm/sdk';",
    '',
    list.length < WIDTH - 30
      ? `const cspm = createClient({ ${list} });`
      : `const cspm = createClient({\n  ${options.join(',\n  ')},\n});`,
    '',
  ];
  if (item || stream) {
    const word = item ? 'item' : stream === 'events' ? 'event' : 'chunk';
    const use = word === 'chunk' ? 'process.stdout.write(chunk)' : `console.log(${word})`;
    lines.push(`for await (const ${word} of ${call}) {\n  ${use};\n}`);
  } else if (result) {
    lines.push(`const result = await ${call};`, 'console.log(result);');
  } else {
    lines.push(`await ${call};`);
  }
  return `${lines.join('\n')}\n`;
}

function curlSample({ verb, url, type, body, credential }: Sample): string {
  const { header, variable } = CREDENTIALS[credential];
  const parts = [`curl ${verb === 'GET' ? '' : `-X ${verb} `}${shellText(url)}`];
  if (header) parts.push(`-H "${header}$${variable}"`);
  if (type === UPLOAD) parts.push(`-H 'Content-Type: ${UPLOAD}'`, `-T ${FILE}`);
  else if (type === 'application/x-www-form-urlencoded') {
    for (const [name, value] of Object.entries(body as object)) {
      parts.push(`--data-urlencode ${shellText(`${name}=${value}`)}`);
    }
  } else if (type) {
    parts.push(`-H 'Content-Type: ${type}'`, `-d ${shellText(JSON.stringify(body))}`);
  }
  return `${parts.join(' \\\n  ')}\n`;
}

function pythonSample({ verb, url, type, body, credential }: Sample): string {
  const { header, variable } = CREDENTIALS[credential];
  const [name = '', prefix = ''] = header.split(': ');
  const secret = `os.environ["${variable}"]`;
  const value = prefix === '' ? secret : `f"${prefix}{os.environ['${variable}']}"`;
  const headers = [
    ...(header ? [`"${name}": ${value}`] : []),
    ...(type === UPLOAD ? [`"Content-Type": "${UPLOAD}"`] : []),
  ];
  const sent: Record<string, string> = {
    [UPLOAD]: `data=open("${FILE}", "rb")`,
    'application/json': `json=${pythonLiteral(body)}`,
    'application/x-www-form-urlencoded': `data=${pythonLiteral(body)}`,
  };
  const given = [
    `"${url}"`,
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
    ...(type ? [sent[type] ?? ''] : []),
    'timeout=30',
  ];
  return [
    ...(header ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${verb.toLowerCase()}(\n    ${given.join(',\n    ')},\n)`,
    'response.raise_for_status()',
    'print(response.text)',
    '',
  ].join('\n');
}
