import type { Case } from '../case.ts';
import { check, failed, same, until } from '../check.ts';
import type { Reply } from '../server.ts';
import type { Stage } from '../stage.ts';
import type { Client } from '../subject.ts';

const NAMES = [['a', 'b'], ['c'], ['d']] as const;

/** Results of successful calls. */
export const results: readonly Case[] = [
  {
    id: 'm.with-response',
    line: 'methods',
    title: 'returns status, correlation id, attempts and waits of a call on request',
    needs: ['read', 'problems'],
    async run(stage) {
      stage.chance(() => 0.5);
      const { answer } = stage.route('read');
      const headers = { ...answer.headers, 'x-correlation-id': 'the-last' };
      stage.on('read', 503, 'reset', { ...answer, headers });
      const client = stage.client();
      check(client.detailed !== undefined, 'it cannot tell');
      const { status, correlationId, attempts, retryDelayMs } = await client.detailed('read');
      same([status, correlationId], [200, 'the-last'], 'the response');
      same(
        attempts.map((attempt) => [attempt.status ?? 'none', attempt.failed]),
        [
          [503, false],
          ['none', true],
          [200, false],
        ],
        'the attempts',
      );
      const waits = attempts.reduce((sum, { delayMs }) => sum + delayMs, 0);
      same(retryDelayMs, waits, 'the waits in all');
    },
  },
  {
    id: 'l.iterate',
    line: 'lists',
    title: 'iterates over the items of all pages, in order',
    needs: ['list'],
    async run(stage) {
      const { client } = listing(stage);
      same(await all(client), ['a', 'b', 'c', 'd'], 'the items');
      check(pagesSent(stage) === 3, `${pagesSent(stage)} requests`);
    },
  },
  {
    id: 'l.lazy',
    line: 'lists',
    title: 'fetches a page only when it is reached',
    needs: ['list'],
    async run(stage) {
      const { client } = listing(stage);
      for await (const name of client.list?.() ?? []) if (name === 'b') break;
      check(pagesSent(stage) === 1, `${pagesSent(stage)} requests`);
    },
  },
  {
    id: 'l.first',
    line: 'lists',
    title: 'returns the first page of an awaited list and fetches no more',
    needs: ['list'],
    async run(stage) {
      const { client } = listing(stage);
      same(await client.firstPage?.(), ['a', 'b'], 'the first page');
      check(pagesSent(stage) === 1, `${pagesSent(stage)} requests`);
    },
  },
  {
    id: 'l.retry',
    line: 'lists',
    title: 'retries any page of a list like any other read',
    needs: ['list'],
    async run(stage) {
      const { client, pages } = listing(stage);
      const [first = {}, ...rest] = pages;
      stage.script(stage.subject.list?.at ?? '', first, 503, ...rest);
      same(await all(client), ['a', 'b', 'c', 'd'], 'the items');
    },
  },
  {
    id: 'l.failure',
    line: 'lists',
    title: 'passes an error of any page to its reader',
    needs: ['list'],
    async run(stage) {
      const { client, pages } = listing(stage);
      stage.script(stage.subject.list?.at ?? '', pages[0] ?? {}, 404);
      failed(await stage.settle(all(client)), 404);
    },
  },
  {
    id: 'm.stream',
    line: 'methods',
    time: 'real',
    title: 'yields the items of a stream as they arrive',
    needs: ['stream'],
    async run(stage) {
      streaming(stage, 20);
      const items = read(stage.client());
      same((await items.next()).value, 'a', 'the first item');
      same((await items.next()).value, 'b', 'the second item');
      await items.return(undefined);
    },
  },
  {
    id: 'm.stream-whole',
    line: 'methods',
    time: 'real',
    title: 'ends with the stream, however its chunks are split',
    needs: ['stream'],
    async run(stage) {
      const { pieces = [], ...reply } = streaming(stage);
      const cut = pieces.join('').match(/.{1,7}/gs) ?? [];
      stage.script(stage.subject.stream?.at ?? '', { ...reply, pieces: cut, everyMs: 1 });
      const items: string[] = [];
      for await (const item of read(stage.client())) items.push(item);
      same(items, ['a', 'b', 'c'], 'the items');
    },
  },
  {
    id: 'm.stream-retry',
    line: 'methods',
    title: 'retries a stream that has not started',
    needs: ['stream'],
    async run(stage) {
      const reply = streaming(stage);
      stage.script(stage.subject.stream?.at ?? '', 503, 'reset', reply);
      const items: string[] = [];
      for await (const item of read(stage.client())) items.push(item);
      same(items, ['a', 'b', 'c'], 'the items');
    },
  },
  {
    id: 'm.stream-abort',
    line: 7,
    time: 'real',
    title: 'ends a running stream when its caller aborts',
    needs: ['stream', 'signal'],
    async run(stage) {
      streaming(stage, 20);
      const controller = new AbortController();
      const reading = stage.settle(
        (async () => {
          for await (const item of read(stage.client(), controller.signal)) void item;
        })(),
      );
      await until(() => stage.server.requests.length > 0);
      setTimeout(() => controller.abort(), 60);
      failed(await reading);
    },
  },
];

function listing(stage: Stage) {
  const { list } = stage.subject;
  const pages = list?.pages(NAMES) ?? [];
  stage.script(list?.at ?? '', ...pages);
  return { client: stage.client(), pages };
}

function pagesSent(stage: Stage): number {
  return stage.server.to(stage.subject.list?.at ?? '').length;
}

async function all(client: Client): Promise<string[]> {
  const names: string[] = [];
  for await (const name of client.list?.() ?? []) names.push(name);
  return names;
}

function streaming(stage: Stage, everyMs?: number): Reply {
  const { stream } = stage.subject;
  const open = everyMs !== undefined;
  const reply = {
    ...stream?.reply(['a', 'b', 'c'], open),
    ...(open && { everyMs, unfinished: open }),
  };
  stage.script(stream?.at ?? '', reply);
  return reply;
}

async function* read(client: Client, signal?: AbortSignal): AsyncGenerator<string> {
  yield* client.stream?.(signal ? { signal } : {}) ?? [];
}
