import { describe, expect, test } from 'vitest';
import { arrange, failureOf, SCAN_ID } from '../conformance/arrange.ts';
import { NotFoundError } from './errors.ts';

const LIST = 'GET /projects';

function page(names: string[], nextCursor: string | null) {
  return { body: { items: names.map((name) => ({ name })), nextCursor } };
}

describe('a list', () => {
  test('a list of the SDK iterates over the items of all pages, in order', async () => {
    const { server, cspm } = await arrange();
    server.on(LIST, page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null));
    const names: string[] = [];
    for await (const { name } of cspm.projects.list({ limit: 2 })) names.push(name);
    expect(names).toEqual(['a', 'b', 'c']);
    expect(server.requests.map(({ query }) => query.toString())).toEqual([
      'limit=2',
      'limit=2&cursor=c1',
      'limit=2&cursor=c2',
    ]);
  });

  test('a list of the SDK returns only its first page when awaited', async () => {
    const { server, cspm } = await arrange();
    server.on(LIST, page(['a'], 'c1'));
    expect(await cspm.projects.list()).toMatchObject({ items: [{ name: 'a' }], nextCursor: 'c1' });
    expect(server.requests).toHaveLength(1);
  });

  test('a list of the SDK fetches a page only when it is reached', async () => {
    const { server, cspm } = await arrange();
    server.on(LIST, page(['a', 'b'], 'c1'));
    for await (const { name } of cspm.projects.list()) if (name === 'b') break;
    expect(server.requests).toHaveLength(1);
  });

  test('a list of the SDK can be awaited and then iterated over without a second request', async () => {
    const { server, cspm } = await arrange();
    server.on(LIST, page(['a'], null));
    const list = cspm.projects.list();
    await list;
    const names: string[] = [];
    for await (const { name } of list) names.push(name);
    expect(names).toEqual(['a']);
    expect(server.requests).toHaveLength(1);
  });

  test('a list of the SDK whose pages have more than items gives its items, and the whole pages', async () => {
    const { server, cspm } = await arrange();
    const input = { id: SCAN_ID, with: SCAN_ID };
    const first = { projects: ['shop'], items: [{ change: 'new' }], nextCursor: 'c1' };
    const last = { projects: ['shop'], items: [{ change: 'resolved' }], nextCursor: null };
    const at = `GET /scans/${SCAN_ID}/compare`;
    server.on(at, { body: first }, { body: last });
    const changes: string[] = [];
    for await (const { change } of cspm.scans.compare(input)) changes.push(change);
    expect(changes).toEqual(['new', 'resolved']);
    server.on(at, { body: first }, { body: last });
    const comparison = cspm.scans.compare(input);
    expect(await comparison).toEqual(first);
    const pages: unknown[] = [];
    for await (const page of comparison.pages()) pages.push(page);
    expect(pages).toEqual([first, last]);
  });

  test('a list of the SDK can be iterated over when it has a single page', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /profiles', page(['full'], null));
    const names: string[] = [];
    for await (const { name } of cspm.profiles.list()) names.push(name);
    expect(names).toEqual(['full']);
  });

  test('a list of the SDK ends at a page without a next cursor', async () => {
    const { server, cspm } = await arrange();
    server.on(LIST, { body: { items: [{ name: 'a' }] } }, { status: 404 });
    expect(await cspm.projects.list().toArray()).toEqual([{ name: 'a' }]);
  });

  test('a list of the SDK passes an error of any page to its reader', async () => {
    const { server, cspm } = await arrange();
    server.on(LIST, page(['a'], 'c1'), { status: 404 });
    const names: string[] = [];
    const reading = (async () => {
      for await (const { name } of cspm.projects.list()) names.push(name);
    })();
    await failureOf(reading, NotFoundError);
    expect(names).toEqual(['a']);
  });
});

describe('withResponse', () => {
  test('withResponse handles the error instead of the call, so that no rejection is unhandled', async () => {
    const { cspm } = await arrange();
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    await failureOf(cspm.projects.list().withResponse(), NotFoundError);
    await failureOf(cspm.projects.get({ name: 'a' }).withResponse(), NotFoundError);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
