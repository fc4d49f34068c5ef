import { readFile } from 'node:fs/promises';
import bundled from '../../openapi.json' with { type: 'json' };
import { command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Document } from '../mock/document.ts';
import { MOCK_CODE, MOCK_KEYS, MOCK_PASSWORD } from '../mock/people.ts';
import { startMock } from '../mock/server.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

export const mock = command({
  name: 'mock',
  usage: 'cspm mock [--port 4010] [--rate-limit 60]',
  summary: 'Serves the contract with example data and its real policies, without a database.',
  options: {
    port: {
      kind: 'text',
      value: 'number',
      help: 'Where to listen. Default: 4010; 0: any free port.',
    },
    host: { kind: 'text', value: 'address', help: 'On which address. Default: 127.0.0.1.' },
    'rate-limit': {
      kind: 'text',
      value: 'number',
      help: 'Requests a minute, over everything. Default: 60.',
    },
    'access-seconds': {
      kind: 'text',
      value: 'number',
      help: 'How long access tokens are good. Default: 900; a few seconds make a client renew them.',
    },
    'scan-seconds': { kind: 'text', value: 'number', help: 'How long a scan takes. Default: 5.' },
    features: {
      kind: 'list',
      value: 'names',
      help: 'What the tenant has licensed. Default: nothing.',
    },
    document: {
      kind: 'text',
      value: 'file',
      help: 'Another openapi.json. Default: that of this release.',
    },
  },
  async run(values, terminal) {
    const service = await startMock({
      document: await documentIn(values.document),
      host: values.host ?? '127.0.0.1',
      port: numberOf('port', values.port, 4010),
      rateLimit: numberOf('rate-limit', values['rate-limit'], 60),
      accessSeconds: numberOf('access-seconds', values['access-seconds'], 900),
      scanSeconds: numberOf('scan-seconds', values['scan-seconds'], 5),
      features: values.features,
    });
    terminal.output.write(welcome(service.url));
    await untilInterrupted(terminal);
    await service.stop();
    return EXIT.ok;
  },
});

async function documentIn(file: string | undefined): Promise<Document> {
  // What TypeScript infers of so large a document is of no use.
  if (file === undefined) return bundled as unknown as Document;
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw new UsageError(`--document: ${file} cannot be read as JSON.`);
  }
}

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new UsageError(`--${name} takes a whole number; not "${text}".`);
}

function welcome(url: string): string {
  return `Mocking on ${url}

  key of an administrator   ${MOCK_KEYS.admin}
  key that may only read    ${MOCK_KEYS.viewer}
  sign in as                admin@example.com or viewer@example.com, password "${MOCK_PASSWORD}"
  one-time code             ${MOCK_CODE} (the administrator has a second factor)

  curl ${url}/scans -H 'X-API-Key: ${MOCK_KEYS.admin}'

`;
}

function untilInterrupted({ interrupted }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    if (interrupted.aborted) resolve();
    else interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
}
