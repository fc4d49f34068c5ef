import { type Cspm, createClient } from '@cspm/sdk';
import { readSession, saveSession } from './session-file.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Options of every command that talks to a service. */
export const CONNECTION_OPTIONS = {
  url: {
    kind: 'text',
    value: 'url',
    help: 'The service. Default: CSPM_URL, or that of cspm login.',
  },
} as const;

const DEFAULT_URL = 'http://127.0.0.1:3000';

/**
 * A client with the key in CSPM_API_KEY, else with the session that `cspm login` has kept. A key is never an option: the
 * list of processes and the history of the shell would show it.
 * @throws {UsageError} where there is neither
 */
export async function connect(
  options: { readonly url: string | undefined },
  terminal: Terminal,
): Promise<Cspm> {
  const { environment } = terminal;
  const apiKey = environment['CSPM_API_KEY'];
  const url = options.url ?? environment['CSPM_URL'];
  if (apiKey !== undefined && apiKey !== '') {
    return createClient({ baseUrl: url ?? DEFAULT_URL, apiKey });
  }
  const session = await readSession(environment);
  if (session === null || (url !== undefined && url !== session.url)) {
    throw new UsageError(
      'There is no credential. Set CSPM_API_KEY to a key (cspm_…), or sign in with cspm login.',
    );
  }
  return createClient({
    baseUrl: session.url,
    session: {
      accessToken: session.accessToken,
      refreshToken: session.refreshToken,
      onRefresh: (tokens) => saveSession(environment, { ...tokens, url: session.url }),
    },
  });
}

/** Where to sign in. */
export function urlOf(
  options: { readonly url: string | undefined },
  { environment }: Terminal,
): string {
  return options.url ?? environment['CSPM_URL'] ?? DEFAULT_URL;
}
