import { type ClientOptions, type Cspm, createClient } from '@cspm/sdk';
import { storedSession } from '@cspm/sdk/session';
import { sayOverBar } from './progress.ts';
import { isSameAddress, readSession, sessionStore } from './session-file.ts';
import type { Terminal } from './terminal.ts';
import { InputError } from './usage-error.ts';

interface Patience {
  /** Whether calls outlast a restart of the service, once it has answered. Before, its address may be wrong. */
  readonly outlastsRestarts?: boolean;
}

/** Options of every command that calls a service. */
export const CONNECTION_OPTIONS = {
  url: {
    kind: 'text',
    value: 'url',
    help: 'The address of the service. Default: CSPM_URL, or the address of cspm login.',
  },
} as const;

const DEFAULT_URL = 'http://127.0.0.1:3000';

/**
 * Creates a client with the key in CSPM_API_KEY, or else with the session of `cspm login`. There is no option for the key,
 * because the process list and the shell history would show it.
 * @throws {InputError} when there is no credential or one that was not copied completely, or when the address of the service
 * is invalid
 */
export async function connect(
  options: { readonly url: string | undefined },
  terminal: Terminal,
  how: Patience = {},
): Promise<Cspm> {
  const { environment } = terminal;
  const apiKey = environment['CSPM_API_KEY']?.trim() ?? '';
  const url = givenUrl(options, terminal);
  if (apiKey !== '') {
    checkKey(apiKey);
    return clientOf({ baseUrl: url ?? DEFAULT_URL, apiKey }, terminal, how);
  }
  const session = await readSession(environment);
  if (session === null) {
    throw new InputError(
      'There is no credential. Set CSPM_API_KEY to an API key (cspm_…), or run cspm login.',
    );
  }
  if (url !== undefined && !isSameAddress(url, session.url)) {
    throw new InputError(
      `You are signed in to ${session.url}, not to ${url}. Run cspm login --url ${url}, or set CSPM_API_KEY to an API key (cspm_…).`,
    );
  }
  const store = sessionStore(environment, session.url);
  return clientOf({ baseUrl: session.url, session: storedSession(store) }, terminal, how);
}

/** @throws {InputError} for a character that no key has, such as the ellipsis of a placeholder */
function checkKey(apiKey: string): void {
  const [stray] = /[^!-~]/u.exec(apiKey) ?? [];
  if (stray === undefined) return;
  throw new InputError(
    `CSPM_API_KEY contains a character that a key cannot have: ${JSON.stringify(stray)}. Copy the whole key.`,
  );
}

const otherServers = new WeakSet<Terminal>();

/** Whether a response had no correlation id. The service sends one with every response. */
export function answeredByOther(terminal: Terminal): boolean {
  return otherServers.has(terminal);
}

/**
 * Deadline of a call, including its waits at rate limits. A job of a pipeline should wait out the limit of a minute, also
 * when another job at the same address uses the next one up.
 */
const TIMEOUT_MS = 180_000;

/** Attempts that take about a minute, as those of `scans.wait` do. */
export const PATIENT = { maxAttempts: 12 };
/** Shorter waits before a repetition are not announced. */
const NOTICED_MS = 1_000;

/**
 * Creates a client whose calls end when the user interrupts the command, unless they have a signal of their own. Each wait
 * at a rate limit is announced, once for all calls that wait.
 */
export function clientOf(
  options: ClientOptions,
  terminal: Terminal,
  { outlastsRestarts = false }: Patience = {},
): Cspm {
  let announcedUntil = 0;
  let hasAnswered = false;
  let isOut = false;
  const client = createClient({
    ...options,
    timeoutMs: TIMEOUT_MS,
    // Pacing waits before a request without an event, so nothing could be announced.
    pacing: 'off',
    hooks: {
      onRetry: ({ reason, delayMs }) => {
        if (reason !== 'RATE_LIMITED') {
          if (!outlastsRestarts || isOut || delayMs < NOTICED_MS) return;
          isOut = true;
          sayOverBar(terminal, 'The service is not available. Trying again for about a minute.');
          return;
        }
        if (Date.now() < announcedUntil) return;
        announcedUntil = Date.now() + delayMs;
        sayOverBar(terminal, `Rate limit reached; waiting ${Math.ceil(delayMs / 1000)} s.`);
      },
      onResponse: ({ status, correlationId }) => {
        if (status !== undefined && status < 500 && correlationId !== undefined) {
          hasAnswered = true;
          isOut = false;
        }
        if (status !== undefined && correlationId === undefined) otherServers.add(terminal);
      },
    },
  });
  return withDefaults(client, () => ({
    signal: terminal.interrupted,
    ...(outlastsRestarts && hasAnswered && { retry: PATIENT }),
  }));
}

type Method = (input?: object, options?: object) => unknown;

function withDefaults(client: Cspm, defaults: () => object): Cspm {
  const withOptions =
    (method: Method): Method =>
    (input, options) =>
      method(input, { ...defaults(), ...options });
  const members = Object.entries(client).map(([name, member]) => [
    name,
    typeof member === 'function'
      ? member
      : Object.fromEntries(
          Object.entries<Method>(member).map(([key, method]) => [key, withOptions(method)]),
        ),
  ]);
  return Object.fromEntries(members);
}

/** The address that `connect` uses, for a message about a failed connection. */
export async function addressOf(
  options: { readonly url: string | undefined },
  terminal: Pick<Terminal, 'environment'>,
): Promise<string> {
  const { environment } = terminal;
  const url = givenUrl(options, terminal);
  if (url !== undefined || environment['CSPM_API_KEY']) return url ?? DEFAULT_URL;
  return (await readSession(environment))?.url ?? DEFAULT_URL;
}

/** The address of the service to sign in to. */
export function urlOf(
  options: { readonly url: string | undefined },
  terminal: Pick<Terminal, 'environment'>,
): string {
  return givenUrl(options, terminal) ?? DEFAULT_URL;
}

/** @throws {InputError} when the address is not an HTTP URL */
function givenUrl(
  options: { readonly url: string | undefined },
  { environment }: Pick<Terminal, 'environment'>,
): string | undefined {
  const url = (options.url ?? environment['CSPM_URL'] ?? '').trim();
  if (url === '') return undefined;
  const name = options.url === undefined ? 'CSPM_URL' : '--url';
  // Before the others, which repeat the address.
  if (/^([a-z][a-z0-9+.-]*:\/*)?[^/?#]*@/i.test(url)) {
    throw new InputError(
      `${name} has a user name or a password. Remove it, and set CSPM_API_KEY or run cspm login.`,
    );
  }
  if (!/^https?:\/\//i.test(url)) {
    const bare = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
    throw new InputError(
      `${name} is "${url}", which does not begin with http:// or https://. Set it to https://${bare}, or to http://${bare} for a service on this machine.`,
    );
  }
  if (!URL.canParse(url)) {
    throw new InputError(
      `${name} is "${url}", which is not a URL. Set it to an address such as ${DEFAULT_URL}.`,
    );
  }
  return url;
}
