import type { Client, Setting, Subject } from '../subject.ts';
import { TestClock } from '../test-clock.ts';
import { abilities, list, routes, stream } from './service.ts';

const PATIENCE_MS = 100;
const ASSUMED_QUOTA = 10;
const ASSUMED_WINDOW_MS = 60_000;

/**
 * A client that is too cautious: it never retries, assumes a limit that nobody stated, and keeps sleeping after an
 * abort. It fails other cases than the eager client.
 */
export const lazy: Subject = {
  name: 'lazy',
  routes,
  abilities,
  clocked: true,
  list,
  stream,
  open,
  explain: () => ({}),
};

function open({ baseUrl, credential, clock }: Setting): Client {
  const get = clock instanceof TestClock ? clock.holding(fetch) : fetch;
  let sent = 0;
  let closedFor = 0;

  async function send(at: string): Promise<unknown> {
    const [method = '', path = ''] = at.split(' ');
    sent += 1;
    if (sent > ASSUMED_QUOTA) closedFor = ASSUMED_WINDOW_MS;
    await clock.sleep(closedFor);
    const response = await get(baseUrl + path, {
      method,
      headers: { 'x-api-key': credential },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    closedFor =
      Number(/r=0;t=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1] ?? 0) * 1000;
    if (!response.ok) throw new Error('It did not work');
    return response.status === 204 ? undefined : await response.json();
  }

  async function firstPage(): Promise<string[]> {
    const { items } = (await send(list.at)) as { items: { name: string }[] };
    return items.map(({ name }) => name);
  }

  return {
    call: (name) => send(routes[name].at),
    async *list() {
      yield* await firstPage();
    },
    firstPage,
    async *stream() {
      const { body, ok } = await get(baseUrl + stream.at.slice('GET '.length));
      if (!ok || !body) throw new Error('It did not work');
      for await (const piece of body) yield new TextDecoder().decode(piece);
    },
  };
}
