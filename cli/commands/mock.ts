import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MOCK_KEYS, MOCK_SIGN_IN } from '@cspm/sdk/testing';
import bundled from '../../openapi.json' with { type: 'json' };
import { cannotRead } from '../cannot-read.ts';
import { command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { startMock } from '../mock/server.ts';
import type { Terminal } from '../terminal.ts';
import { InputError, UsageError } from '../usage-error.ts';

/** The features of the contract. */
const FEATURES = ['sso', 'custom_rules', 'audit_export'] as const;

export const mock = command({
  name: 'mock',
  usage: 'cspm mock [--port 4010] [--rate-limit 60]',
  summary: 'Serves the API with example data and its real policies, without a database.',
  options: {
    port: {
      kind: 'text',
      value: 'number',
      help: 'The port to listen on. Default: 4010. 0 selects a free port.',
    },
    host: { kind: 'text', value: 'address', help: 'The address to listen on. Default: 127.0.0.1.' },
    'rate-limit': {
      kind: 'text',
      value: 'number',
      help: 'The limit of requests per minute over all operations. Default: 60.',
    },
    'access-seconds': {
      kind: 'text',
      value: 'number',
      help: 'The lifetime of access tokens. Default: 900. A short one tests token refresh.',
    },
    'scan-seconds': { kind: 'text', value: 'number', help: 'The duration of a scan. Default: 5.' },
    features: {
      kind: 'list',
      words: FEATURES,
      help: 'The licensed features of the tenant. Default: none.',
    },
    document: {
      kind: 'text',
      value: 'file',
      help: 'An openapi.json to serve. Default: the one of this release.',
    },
  },
  async run(values, terminal) {
    const host = values.host ?? '127.0.0.1';
    const port = numberOf('port', values.port, 4010);
    const service = await startMock({
      document: await documentIn(values.document),
      host,
      port,
      rateLimit: numberOf('rate-limit', values['rate-limit'], 60),
      accessSeconds: numberOf('access-seconds', values['access-seconds'], 900),
      scanSeconds: numberOf('scan-seconds', values['scan-seconds'], 5),
      features: values.features,
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall === undefined && error.code !== 'ERR_SOCKET_BAD_PORT') throw error;
      throw new UsageError(
        `Cannot listen on ${host}:${port}: ${error.message.replace(/\.$/, '')}. Choose another --host or --port; --port 0 selects a free port.`,
      );
    });
    terminal.output.write(startupBanner(service.url));
    await untilInterrupted(terminal);
    await service.stop();
    return EXIT.ok;
  },
});

async function documentIn(file: string | undefined): Promise<object> {
  if (file === undefined) return bundled;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw cannotRead('--document', file, error);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(`--document: ${resolve(file)} is not JSON.`);
  }
}

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new UsageError(`--${name} does not accept "${text}". It needs a whole number.`);
}

function startupBanner(url: string): string {
  return `Mock server on ${url}

  administrator key   ${MOCK_KEYS.admin}
  read-only key       ${MOCK_KEYS.viewer}
  sign-in             admin@example.com or viewer@example.com
  password            ${MOCK_SIGN_IN.password}
  one-time code       ${MOCK_SIGN_IN.code} (the administrator needs a second factor)

Try it:
  curl ${url}/scans -H 'X-API-Key: ${MOCK_KEYS.admin}'

`;
}

function untilInterrupted({ interrupted }: Terminal): Promise<void> {
  return new Promise((resolve) => {
    if (interrupted.aborted) resolve();
    else interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
}
