import { REFRESH, VERIFY } from '../session-wire.ts';
import type { CallOptions, Client, Setting, Subject } from '../subject.ts';
import { TestClock } from '../test-clock.ts';
import { abilities, list, routes, stream } from './service.ts';

const ATTEMPTS = 4;
const WAIT_MS = 200;
const PATIENCE_MS = 1200;

class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`Status ${status}`);
    this.status = status;
  }
}

/**
 * A naive fetch wrapper, as found in many projects: it repeats everything at fixed times, with a new key each time,
 * ignoring the server. The cases must detect its faults.
 */
export const eager: Subject = {
  name: 'eager',
  routes,
  abilities,
  clocked: true,
  list,
  stream,
  open,
  explain: (error) => ({ status: (error as Refused).status }),
};

function open(setting: Setting): Client {
  const { baseUrl, credential, clock, session, onStepUp } = setting;
  const get = clock instanceof TestClock ? clock.holding(fetch) : fetch;
  let accessToken = session?.accessToken;
  let refreshToken = session?.refreshToken;

  async function once(at: string, body: unknown, options: CallOptions = {}): Promise<unknown> {
    const [method = '', path = ''] = at.split(' ');
    setting.onEvent?.({ what: 'request', attempt: 1, delayMs: 0, reason: undefined });
    const response = await get(baseUrl + path, {
      method,
      headers: {
        ...(session ? { authorization: `Bearer ${accessToken}` } : { 'x-api-key': credential }),
        'idempotency-key': crypto.randomUUID(),
        ...options.headers,
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Refused(response.status);
    if (at === stream.at) return await response.text();
    return response.status === 204 ? undefined : await response.json();
  }

  async function repeat(at: string, body: unknown, options?: CallOptions): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(at, body, options);
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        if (error instanceof Refused && at !== REFRESH) await renew(error.status);
        await clock.sleep(WAIT_MS);
      }
    }
  }

  async function renew(status: number): Promise<void> {
    if (!session || (status !== 401 && status !== 403)) return;
    const wantsCode = status === 403 && onStepUp;
    const [at, body] = wantsCode
      ? [VERIFY, { code: await onStepUp() }]
      : [REFRESH, { refreshToken }];
    const tokens = (await repeat(at, body)) as typeof session;
    ({ accessToken, refreshToken } = tokens);
    void session.onRefresh?.(tokens);
  }

  async function everything(): Promise<string[]> {
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = (await repeat(list.at, {}).catch(() => ({ items: [], nextCursor: null }))) as {
        items: { name: string }[];
        nextCursor: string | null;
      };
      names.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    return names;
  }

  return {
    call: (name, options = {}) => repeat(routes[name].at, { names: options.names }, options),
    async *list() {
      yield* await everything();
    },
    firstPage: everything,
    async *stream() {
      const text = await repeat(stream.at, {});
      for (const [, item = ''] of `${text}`.matchAll(/"profile":"(.*?)"/g)) yield item;
    },
  };
}
